// Marks of what happened above the slider, none of which hides another, and the list of it.
import { kindColour, WEIGHT } from "./colours.js";

const APART = 10; // px from one mark to the next on the same level
const LEVELS = 5;
const MOST_ALIKE = 8; // events of one kind at one time that have rows of their own

export class Timeline {
  constructor(marks, list, runs, act) {
    this.marks = marks;
    this.act = act;
    this.events = runs
      .flatMap((run) => together(run.events).map((one) => ({ ...one, run: runs.length > 1 ? `${run.title}: ` : "" })))
      .sort((a, b) => a.time - b.time);
    this.list = list;
    this.themed();
  }

  themed() {
    this.latest = undefined;
    this.rows = this.events.map((event) => this.row(event));
    this.list.replaceChildren(...this.rows);
    this.place();
  }

  go(event) {
    if (event.of) this.act.light(event.of, true);
    this.act.seek(event.time);
  }

  row(event) {
    const row = document.createElement("button");
    const dot = document.createElement("i");
    dot.style.background = kindColour(event.kind);
    const when = document.createElement("time");
    when.textContent = `${Number(event.time.toPrecision(5))} s`;
    row.append(dot, when, `${event.run}${event.text}`);
    row.addEventListener("click", () => this.go(event));
    return row;
  }

  // What matters more takes its place first; what finds none on any level stands on the last.
  place() {
    const { first, last } = this.act.span,
      wide = this.marks.clientWidth;
    const order = [...this.events].sort((a, b) => WEIGHT.indexOf(a.kind) - WEIGHT.indexOf(b.kind) || a.time - b.time);
    const taken = Array.from({ length: LEVELS }, () => []);
    let levels = 1;
    const made = order.map((event) => {
      const x = (wide * (event.time - first)) / (last - first || 1);
      let level = taken.findIndex((places) => places.every((other) => Math.abs(other - x) >= APART));
      if (level < 0) level = LEVELS - 1;
      taken[level].push(x);
      levels = Math.max(levels, level + 1);
      const mark = document.createElement("span");
      mark.style.left = `${x}px`;
      mark.style.bottom = `${8 * level}px`;
      mark.style.color = kindColour(event.kind);
      mark.title = `${event.run}${event.text}, ${Number(event.time.toPrecision(5))} s`;
      mark.dataset.kind = event.kind;
      mark.addEventListener("click", () => this.go(event));
      return mark;
    });
    this.marks.style.height = `${8 * levels + 2}px`;
    this.marks.replaceChildren(...made);
  }

  show(now) {
    let latest = -1;
    this.events.forEach((event, i) => {
      if (event.time <= now + 1e-9) latest = i;
    });
    if (latest === this.latest) return;
    this.rows[this.latest]?.classList.remove("now");
    this.rows[latest]?.classList.add("now");
    this.latest = latest;
    const row = this.rows[latest],
      list = row?.parentElement;
    if (list && (row.offsetTop < list.scrollTop || row.offsetTop > list.scrollTop + list.clientHeight - 24))
      list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
}

// Many events of one kind at one time are told as one: "w0 becomes taut, and 119 others".
const together = (events) => {
  const groups = new Map();
  for (const event of events) {
    const key = `${event.kind} ${event.time}`;
    if (groups.has(key)) groups.get(key).push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length > MOST_ALIKE
      ? [{ ...group[0], of: null, text: `${group[0].text}, and ${group.length - 1} others` }]
      : group,
  );
};
