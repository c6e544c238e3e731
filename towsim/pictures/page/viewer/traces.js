// A panel of curves over time: any variable of the runs, one colour for each wire or body as in the scene.
import { colourOf, RAMP_BYTES, RAMP_CSS, theme } from "./colours.js";
import { quantity } from "./overlay.js";
import { nice } from "./world.js";

const LEFT = 64,
  RIGHT = 12,
  TOP = 8,
  BOTTOM = 20;
const MANY = 16; // of more curves, an overview is drawn: a row of colours for each
const FINE = 1e-6; // m: gaps are drawn over asinh(gap / 1 µm), so that micrometres and metres are seen

const DASHES = [[], [6, 3], [1.5, 2.5], [9, 3, 1.5, 3]]; // of the first run, of the second, ...
const dashes = (r) => DASHES[r % DASHES.length];

// A piece of a run's curves, and its title.
export const sample = (run, r) => {
  const out = document.createElement("span");
  const line = `<path d="M0 5H30" stroke="currentColor" stroke-width="2" stroke-dasharray="${dashes(r).join(" ")}"/>`;
  out.innerHTML = `<svg width="30" height="10" aria-hidden="true">${line}</svg>`;
  out.className = "run";
  out.title = run.note;
  out.append(run.title);
  return out;
};

export class Panel {
  constructor(element, runs, first, act) {
    this.runs = runs;
    this.act = act;
    this.select = element.querySelector("select");
    this.canvas = element.querySelector("canvas");
    this.chips = element.querySelector(".chips");
    this.tip = element.querySelector(".tip");
    this.still = document.createElement("canvas");
    const offered = [...new Set(runs.flatMap((run) => [...run.curves.keys()]))];
    element.hidden = !offered.length;
    for (const name of offered) this.select.append(new Option(name.replaceAll("_", " "), name));
    this.choose(offered.includes(first) ? first : offered[0]);
    this.select.addEventListener("change", () => {
      this.choose(this.select.value);
      this.act.redraw();
    });
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
  }

  choose(name) {
    if (!name) return;
    this.name = this.select.value = name;
    this.shown = this.runs.flatMap((run, r) => (run.curves.has(name) ? [{ run, r, curve: run.curves.get(name) }] : []));
    const { curve } = this.shown[0];
    this.select.title = curve.text;
    this.names = [...new Set(this.shown.flatMap((one) => [...one.curve.names]))];
    this.many = this.names.length > MANY;
    this.warped = name === "gap";
    this.range();
    this.themed();
  }

  themed() {
    if (!this.name) return;
    this.legend();
    this.stale = true;
  }

  legend() {
    this.chips.replaceChildren();
    if (this.many) this.chips.append(this.scale());
    if (this.many || this.names.length < 2) return;
    const first = new Map(); // names whose curves lie on each other: one of them is seen
    for (const name of this.names) {
      const same = [...first.keys()].find((other) => this.same(name, other));
      if (same) first.get(same).push(name);
      else first.set(name, [name]);
    }
    for (const names of first.values())
      names.forEach((name, n) => {
        const chip = document.createElement("button");
        chip.textContent = n ? `= ${name}` : name;
        chip.dataset.name = name;
        chip.style.setProperty("--tint", this.tint(name));
        chip.addEventListener("click", () => this.act.light(name));
        this.chips.append(chip);
      });
  }

  // What the colours of an overview mean.
  scale() {
    const bar = document.createElement("i"),
      out = document.createElement("span");
    bar.style.background = RAMP_CSS;
    const [low, high] = [this.low, this.high].map((v) => this.text(this.unwarp(v)));
    out.append(`${low} `, bar, ` ${high}`);
    return out;
  }

  same(one, other) {
    const near = 1e-3 * (this.high - this.low);
    return this.shown.every(({ run, curve: { names, values, width } }) => {
      const [i, j] = [names.indexOf(one), names.indexOf(other)];
      for (let k = 0; k < run.frames && i >= 0 && j >= 0; k++) {
        const [a, b] = [this.warp(values[k * width + i]), this.warp(values[k * width + j])];
        if (Math.abs(a - b) > near || Number.isNaN(a) !== Number.isNaN(b)) return false;
      }
      return true;
    });
  }

  tint(name) {
    const { run, curve } = this.shown[0];
    const wire = run.wires.findIndex((one) => one.name === name);
    if (wire >= 0) return colourOf(wire, run.wires.length);
    const body = run.bodies.findIndex((one) => one.name === name);
    if (body >= 0) return colourOf(body, run.bodies.length);
    return colourOf(Math.max(0, curve.names.indexOf(name)), curve.names.length);
  }

  // From 0 for sizes; peaks that only a thousandth of all values exceed are cut off, and said to be.
  range() {
    let known = [];
    for (const { curve } of this.shown) known.push(...some(curve.values, 4000));
    known = known
      .filter(Number.isFinite)
      .map((v) => this.warp(v))
      .sort((a, b) => a - b);
    const last = known.length - 1;
    let low = known[0] ?? 0,
      high = known[last] ?? 1;
    if (this.name === "tension" && last > 1000) high = Math.min(high, 1.5 * known[Math.floor(0.998 * last)] || high);
    if (this.shown[0].curve.size) low = Math.min(0, low);
    const least = this.warped ? 1 : 1e-9 * Math.max(Math.abs(low), Math.abs(high));
    if (low === 0 && high === 0) high = 1;
    else if (high - low < least) [low, high] = [low - 0.5 * least, high + 0.5 * least];
    const margin = 0.06 * (high - low);
    this.low = low - (low === 0 ? 0 : margin);
    this.high = high + margin;
  }

  warp(v) {
    return this.warped ? Math.asinh(v / FINE) : v;
  }

  unwarp(v) {
    return this.warped ? FINE * Math.sinh(v) : v;
  }

  x(t) {
    const { first, last } = this.act.span;
    return LEFT + ((t - first) / (last - first || 1)) * this.width;
  }

  y(v) {
    const share = (this.warp(v) - this.low) / (this.high - this.low);
    return TOP + this.height * (1 - Math.min(1, Math.max(0, share)));
  }

  time(x) {
    const { first, last } = this.act.span;
    return first + Math.min(1, Math.max(0, (x - LEFT) / this.width)) * (last - first);
  }

  draw(now, lit) {
    if (!this.name || !this.canvas.clientWidth) return;
    const size = [this.canvas.clientWidth, this.canvas.clientHeight, devicePixelRatio].join();
    if (this.size !== size) {
      this.size = size;
      this.width = this.canvas.clientWidth - LEFT - RIGHT;
      this.height = this.canvas.clientHeight - TOP - BOTTOM;
      this.stale = true;
    }
    if (this.stale || this.lit !== lit) this.drawStill(lit);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.strokeStyle = theme().ink;
    pen.beginPath();
    pen.moveTo(this.x(now), TOP);
    pen.lineTo(this.x(now), TOP + this.height);
    pen.stroke();
    for (const chip of this.chips.children) chip.classList.toggle("lit", chip.dataset.name === lit);
  }

  drawStill(lit) {
    this.stale = false;
    this.lit = lit;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = this.canvas.clientWidth * devicePixelRatio;
      canvas.height = this.canvas.clientHeight * devicePixelRatio;
    }
    const pen = this.still.getContext("2d");
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.font = "11px system-ui, sans-serif";
    this.drawTimes(pen);
    const chosen = this.names.includes(lit);
    if (this.many && !chosen) {
      this.drawOverview(pen);
      return;
    }
    this.drawTicks(pen);
    for (const { run, r, curve } of this.shown)
      curve.names.forEach((name, i) => {
        if (this.many && name !== lit) return;
        pen.globalAlpha = chosen && name !== lit ? 0.25 : 1;
        pen.lineWidth = name === lit ? 2.4 : 1.3;
        pen.setLineDash(dashes(r));
        this.curve(pen, run, curve, i, this.tint(name));
      });
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  // Where there are more frames than pixels, the least and the largest of each pixel.
  curve(pen, run, { values, width }, i, css) {
    pen.strokeStyle = css;
    pen.beginPath();
    const per = Math.max(1, Math.floor(run.frames / (2 * Math.max(1, this.width))));
    let broken = true;
    const to = (k) => {
      const v = values[k * width + i];
      if (broken) pen.moveTo(this.x(run.time[k]), this.y(v));
      else pen.lineTo(this.x(run.time[k]), this.y(v));
      broken = false;
    };
    for (let k = 0; k < run.frames; k += per) {
      let least = -1,
        most = -1;
      for (let j = k; j < Math.min(run.frames, k + per); j++) {
        const v = values[j * width + i];
        if (!Number.isFinite(v)) continue;
        if (least < 0 || v < values[least * width + i]) least = j;
        if (most < 0 || v > values[most * width + i]) most = j;
      }
      if (least < 0) broken = true;
      else {
        to(Math.min(least, most));
        if (least !== most) to(Math.max(least, most));
      }
    }
    pen.stroke();
  }

  drawOverview(pen) {
    const { run, curve } = this.shown[0],
      wide = Math.max(1, Math.floor(this.width)),
      rows = curve.names.length;
    const image = new ImageData(wide, rows);
    const times = Array.from({ length: wide + 1 }, (_, x) => this.time(LEFT + x)),
      steps = times.map((t) => run.nearest(t));
    const shares = 255 / (this.high - this.low);
    for (let x = 0; x < wide; x++) {
      const from = steps[x],
        to = Math.min(Math.max(from, steps[x + 1] - 1), run.frames - 1);
      if (times[x + 1] < run.first || times[x] > run.last) continue;
      for (let i = 0; i < rows; i++) {
        let most = Number.NaN;
        for (let k = from; k <= to; k++) {
          const v = curve.values[k * curve.width + i];
          if (v > most || Number.isNaN(most)) most = v;
        }
        if (!Number.isFinite(most)) continue;
        const share = Math.min(255, Math.max(0, Math.round((this.warp(most) - this.low) * shares)));
        for (let j = 0; j < 4; j++) image.data[4 * (i * wide + x) + j] = RAMP_BYTES[4 * share + j];
      }
    }
    const small = document.createElement("canvas");
    small.width = wide;
    small.height = rows;
    small.getContext("2d").putImageData(image, 0, 0);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(small, LEFT, TOP, this.width, this.height);
    const { soft } = theme();
    pen.fillStyle = soft;
    pen.textAlign = "right";
    pen.fillText(curve.names[0], LEFT - 5, TOP + 9);
    pen.fillText(curve.names.at(-1), LEFT - 5, TOP + this.height);
    pen.fillText(`${rows} rows`, LEFT - 5, TOP + this.height / 2);
  }

  drawTimes(pen) {
    const { soft } = theme(),
      { first, last } = this.act.span;
    const tick = nice((last - first) / Math.max(2, this.width / 110)) || 1;
    pen.fillStyle = soft;
    pen.textAlign = "center";
    for (let t = Math.ceil(first / tick) * tick; t <= last + 1e-9; t += tick)
      pen.fillText(
        `${Number(t.toPrecision(6))} s`,
        Math.min(this.x(t), this.canvas.clientWidth - 20),
        TOP + this.height + 16,
      );
  }

  drawTicks(pen) {
    const { soft, line } = theme();
    pen.strokeStyle = line;
    pen.fillStyle = soft;
    pen.textAlign = "right";
    pen.lineWidth = 1;
    const taken = [];
    for (const v of this.ticks()) {
      const y = this.y(v);
      if (taken.some((other) => Math.abs(other - y) < 13)) continue;
      taken.push(y);
      pen.beginPath();
      pen.moveTo(LEFT, y);
      pen.lineTo(LEFT + this.width, y);
      pen.stroke();
      pen.fillText(this.text(v), LEFT - 5, y + 4);
    }
  }

  // What has no room beside an earlier one is left out.
  ticks() {
    const [low, high] = [this.low, this.high].map((v) => this.unwarp(v));
    if (!this.warped || Math.max(-low, high) < 3 * FINE) {
      const step = nice((high - low) / 3),
        out = [];
      for (let v = Math.ceil(low / step) * step; v <= high; v += step) out.push(Math.abs(v) < 1e-9 * step ? 0 : v);
      return out;
    }
    const decades = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100];
    const all = [0, ...decades.flatMap((v) => [v, -v])];
    return all.filter((v) => this.warp(v) >= this.low && this.warp(v) <= this.high);
  }

  text(v) {
    return quantity(v, this.shown[0].curve.unit);
  }

  // The curve or row nearest to a place of the panel.
  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left,
      y = event.clientY - box.top,
      t = this.time(x);
    if (this.many && !this.names.includes(this.lit)) {
      const { curve } = this.shown[0];
      const i = Math.floor(((y - TOP) / this.height) * curve.names.length);
      return { t, best: curve.names[Math.max(0, Math.min(curve.names.length - 1, i))], far: 0 };
    }
    let best = null,
      far = Number.POSITIVE_INFINITY;
    for (const { run, curve } of this.shown) {
      const k = run.nearest(t);
      curve.names.forEach((name, i) => {
        const away = Math.abs(this.y(curve.values[k * curve.width + i]) - y);
        if (away < far && (!this.many || name === this.lit)) [best, far] = [name, away];
      });
    }
    return { t, best, far };
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const { t, best, far } = this.nearest(event);
    if (far < 5 && best) this.act.light(best, true);
    this.act.seek(t);
  }

  hover(event) {
    const { t, best } = this.nearest(event);
    if (event.buttons) this.act.seek(t);
    if (!this.name) return;
    const lines = [`${t.toFixed(3)} s`];
    const few = this.names.length <= 8 ? this.names : [best];
    for (const { run, curve, r } of this.shown) {
      const k = run.nearest(t);
      for (const name of few) {
        const i = curve.names.indexOf(name);
        if (i < 0) continue;
        const v = curve.values[k * curve.width + i];
        const which = this.runs.length > 1 ? `${this.runs[r].title}: ` : "";
        lines.push(`${which}${name} ${Number.isFinite(v) ? this.text(v) : "–"}${name === best ? "  ◂" : ""}`);
      }
    }
    this.tip.textContent = lines.join("\n");
    this.tip.hidden = false;
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    this.tip.style.left = `${x < box.width / 2 ? x + 14 : x - 14 - this.tip.offsetWidth}px`;
  }
}

const some = (values, most) => {
  const every = Math.max(1, Math.floor(values.length / most));
  const out = [];
  let peak = Number.NEGATIVE_INFINITY,
    least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (i % every === 0) out.push(values[i]);
    if (values[i] > peak) peak = values[i];
    if (values[i] < least) least = values[i];
  }
  out.push(peak, least);
  return out;
};
