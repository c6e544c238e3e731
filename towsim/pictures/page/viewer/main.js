// The page: one clock for all runs, and whoever acts on it. `window.page` is the head and the numbers of page3d.py.
import * as THREE from "three";
import { onTheme, RAMP_CSS } from "./colours.js";
import { Run } from "./data.js";
import { Film } from "./film.js";
import { Overlay, quantity } from "./overlay.js";
import { Timeline } from "./timeline.js";
import { Panel, sample } from "./traces.js";
import { World } from "./world.js";

const $ = (id) => document.getElementById(id);
const { head, numbers } = window.page;
const runs = head.runs.map((one) => new Run(one, head.arrays, numbers));
const span = { first: Math.min(...runs.map((run) => run.first)), last: Math.max(...runs.map((run) => run.last)) };
const TICKS = 10000; // of the slider

let now = span.first,
  playing = false,
  lit = null,
  followed = null,
  hovered = null, // under the pointer
  waiting = false, // for a frame
  stale = false, // what is seen is not what it should be
  drawn = 0;

// ---------------------------------------------------------------- drawing, only when something has changed
const redraw = () => {
  stale = true;
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(frame);
};
let world;
try {
  world = new World($("canvas"), runs, redraw);
} catch (error) {
  $("nogl").hidden = false;
  for (const id of ["controls", "panels", "events"]) $(id).hidden = true;
  throw new Error(`this browser cannot draw in 3-D (WebGL): ${error.message}`);
}
const films = runs.map((run) => new Film(run, world));
const film = films[0];
const overlay = new Overlay($("overlay"), world);

let before = 0;
const frame = (clock) => {
  waiting = false;
  if (playing) {
    // True to the clock, however slowly frames are drawn; only what a sleeping tab has missed is left out.
    now += Math.min(1, Math.max(0, clock - before) / 1000) * Number($("speed").value);
    if (now >= span.last) {
      now = span.last;
      playing = false;
    }
  }
  before = clock;
  if (stale) draw();
  if (playing) redraw();
};
const draw = () => {
  const was = followed?.position.clone();
  for (const one of films) one.show(Math.min(now, one.run.last), lit);
  if (followed) {
    const moved = followed.position.clone().sub(was);
    world.controls.target.add(moved);
    world.camera.position.add(moved);
    world.camera.updateMatrixWorld();
  }
  world.render(films.map((one) => one.group));
  overlay.draw(films, lit);
  for (const panel of panels) panel.draw(now, lit);
  timeline.show(now);
  if (hovered) $("tip").textContent = told(hovered);
  $("clock").textContent = `${now.toFixed(3)} s`;
  $("scrub").value = String(Math.round((TICKS * (now - span.first)) / (span.last - span.first || 1)));
  $("play").textContent = playing ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", playing ? "pause" : "play");
  drawn++;
  stale = false;
};

// ---------------------------------------------------------------- what can be done
const seek = (t) => {
  now = Math.min(span.last, Math.max(span.first, t));
  redraw();
};
const pause = (t) => {
  playing = false;
  seek(t);
};
const light = (name, keep = false) => {
  lit = !keep && lit === name ? null : name;
  redraw();
};
const toggle = () => {
  playing = !playing;
  if (playing && now >= span.last) now = span.first;
  before = performance.now();
  redraw();
};
const look = (name, balls) => {
  keep(null);
  world.look(name, balls);
  redraw();
};
// What goes far as a whole is seen from near and followed, anything else at once.
const FAR = 4;
const begin = () => {
  const balls = film.bodies.length ? film.run.beside() : null;
  if (balls && world.travel(balls) > FAR) {
    look("fit", balls);
    keep(film.bodies[0].name);
  } else look("fit");
};
const step = (by) => pause(film.run.time[Math.min(film.run.frames - 1, Math.max(0, film.run.nearest(now) + by))]);

const act = { span, seek: pause, light, redraw };
const panels = [
  new Panel($("panel1"), runs, "tension", act),
  new Panel($("panel2"), runs, runs[0].curves.has("gap") ? "gap" : "speed", act),
];
const timeline = new Timeline($("marks"), $("list"), runs, act);

// ---------------------------------------------------------------- pointing at things
const ray = new THREE.Raycaster();
ray.params.Line.threshold = 0; // m: edges are hit with the faces they belong to
// The film that is pointed at, and the name of what is in it there.
const pointed = (event) => {
  const box = $("canvas").getBoundingClientRect();
  const x = event.clientX - box.left,
    y = event.clientY - box.top;
  const k = world.cells.findIndex((one) => x < one.x + one.width && y < one.y + one.height);
  if (k < 0) return null;
  const cell = world.cells[k],
    film = films[k];
  let best = null,
    far = 9; // px
  film.lines.forEach((line, i) => {
    if (!line) return;
    let last = null;
    for (let j = 0; j < line.length; j += 3) {
      const here = world.project(new THREE.Vector3(line[j], line[j + 1], line[j + 2]), cell);
      if (last?.[2] && here[2]) {
        const [ax, ay] = last,
          dx = here[0] - ax,
          dy = here[1] - ay;
        const s = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(x - ax - s * dx, y - ay - s * dy);
        if (away < far) [best, far] = [film.run.wires[i].name, away];
      }
      last = here;
    }
  });
  if (best) return { film, name: best };
  const [u, v] = [(x - cell.x) / cell.width, (y - cell.y) / cell.height];
  ray.setFromCamera(new THREE.Vector2(2 * u - 1, 1 - 2 * v), world.camera);
  let object = ray.intersectObjects([...film.bodies, ...film.robots])[0]?.object;
  while (object && !object.userData.kind) object = object.parent;
  return object ? { film, name: object.name } : null;
};
const told = ({ film: { run }, name }) => {
  const lines = [name];
  const wire = run.wires.findIndex((one) => one.name === name);
  if (wire >= 0) lines.push(run.slack(wire) ? "slack" : "taut", run.wires[wire].model);
  for (const [key, curve] of run.curves) {
    const i = curve.names.indexOf(name);
    if (i < 0 || lines.length > 11) continue;
    const v = run.value(key, i);
    if (Number.isFinite(v)) lines.push(`${key.replaceAll("_", " ")} ${quantity(v, curve.unit)}`);
  }
  return lines.join("\n");
};
let pressed = null;
$("canvas").addEventListener("pointerdown", (event) => {
  pressed = [event.clientX, event.clientY];
});
$("canvas").addEventListener("pointerup", (event) => {
  const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
  if (!still) return;
  const found = pointed(event);
  if (found) light(found.name);
  else light(null, true);
});
$("canvas").addEventListener("pointermove", (event) => {
  hovered = event.buttons ? null : pointed(event);
  $("tip").hidden = !hovered;
  $("canvas").style.cursor = hovered ? "pointer" : "grab";
  if (!hovered) return;
  $("tip").textContent = told(hovered);
  const box = $("scene").getBoundingClientRect();
  $("tip").style.left = `${Math.min(event.clientX - box.left + 14, box.width - 190)}px`;
  $("tip").style.top = `${Math.min(event.clientY - box.top + 14, box.height - $("tip").offsetHeight - 4)}px`;
});
$("canvas").addEventListener("pointerleave", () => {
  hovered = null;
  $("tip").hidden = true;
});

// ---------------------------------------------------------------- controls
$("title").textContent = head.title;
if (runs.length > 1) $("status").replaceChildren(...runs.map(sample));
else $("status").textContent = runs[0].note;
$("scrub").max = String(TICKS);
$("scrub").addEventListener("input", () =>
  pause(span.first + (Number($("scrub").value) / TICKS) * (span.last - span.first)),
);
$("play").addEventListener("click", toggle);
for (const name of ["fit", "front", "side", "top"]) $(name).addEventListener("click", () => look(name));
for (const object of [...film.bodies, ...film.robots])
  $("camera").append(new Option(`follow ${object.name}`, object.name));
// Follow a body or robot from where the camera is.
const keep = (name) => {
  followed = film.named(name) || null;
  $("camera").value = followed ? name : "free";
};
// The same, with it in the middle.
const follow = (name) => {
  keep(name);
  if (followed) {
    const moved = followed.position.clone().sub(world.controls.target);
    world.controls.target.add(moved);
    world.camera.position.add(moved);
  }
  redraw();
};
$("camera").addEventListener("change", () => follow($("camera").value));
const trails = () => {
  for (const one of films) one.trails.mesh.visible = $("trails").checked;
  redraw();
};
$("trails").addEventListener("change", trails);
$("names").addEventListener("change", () => {
  overlay.named = $("names").checked;
  redraw();
});
$("forces").addEventListener("change", () => {
  for (const one of films) one.options.forces = $("forces").checked;
  redraw();
});
$("paint").value = film.options.paint;
$("paint").addEventListener("change", () => {
  for (const one of films) one.options.paint = $("paint").value;
  legend();
  redraw();
});
// All runs in one place, the first one solid; or each in a cell of its own.
const arrange = (layout) => {
  $("layout").value = layout;
  const apart = layout === "side" && films.length > 1;
  $("scene").classList.toggle("apart", apart);
  $("events").open = !apart && innerWidth > 1000; // it would hide the last cell
  films.forEach((one, k) => {
    one.faint(!apart && k > 0);
  });
  size = [];
  resize();
  begin();
};
$("layout").addEventListener("change", () => arrange($("layout").value));
$("layoutlabel").hidden = films.length < 2;
const legend = () => {
  $("legend").hidden = $("paint").value !== "tension" || !film.run.wires.length;
  $("ramp").style.background = RAMP_CSS;
  $("most").textContent = `${Number(film.run.tension_scale.toPrecision(3))} N`;
};
$("paintlabel").hidden = $("forceslabel").hidden = !film.run.wires.length;
const KEYS = {
  " ": toggle,
  f: () => look("fit"),
  1: () => look("front"),
  2: () => look("side"),
  3: () => look("top"),
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  Home: () => pause(span.first),
  End: () => pause(span.last),
  n: () => $("names").click(),
  t: () => $("trails").click(),
  a: () => $("forces").click(),
  Escape: () => light(null, true),
};
addEventListener("keydown", (event) => {
  if (["SELECT", "INPUT"].includes(event.target.tagName) && event.target.type !== "checkbox" && event.key !== " ")
    return;
  const doIt = KEYS[event.key];
  if (!doIt || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  doIt();
});

// ---------------------------------------------------------------- #t=3&camera=side&layout=side
const fromAddress = () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (["over", "side"].includes(asked.get("layout"))) arrange(asked.get("layout"));
  const camera = asked.get("camera");
  if (["fit", "front", "side", "top"].includes(camera)) look(camera);
  else if (camera) follow(camera);
  if (asked.has("light")) light(asked.get("light"), true);
  if (Number.isFinite(Number.parseFloat(asked.get("t")))) pause(Number.parseFloat(asked.get("t")));
};
addEventListener("hashchange", fromAddress);

let size = [];
const resize = () => {
  const asked = [$("scene").clientWidth, $("scene").clientHeight, innerWidth, devicePixelRatio];
  if (asked.every((v, i) => v === size[i])) return false;
  size = asked;
  world.resize(asked[0], asked[1], $("scene").classList.contains("apart") ? films.length : 1);
  overlay.resize();
  timeline.place();
  return true;
};
// At once: a canvas of another size is empty.
const resized = () => {
  if (resize()) draw();
};
new ResizeObserver(resized).observe($("scene"));
addEventListener("resize", resized);
onTheme(() => {
  world.themed();
  for (const one of films) one.drawTrails();
  for (const panel of panels) panel.themed();
  timeline.themed();
  trails();
});

if (!timeline.events.length) $("events").hidden = true;
legend();
for (const one of films) one.show(now, lit); // where things are, for the camera to follow
arrange(head.layout);
fromAddress();
draw();
window.viewer = {
  seek: (t) => {
    pause(t);
    draw();
  },
  play: toggle,
  time: () => now,
  span,
  look,
  begin,
  light: (name) => light(name, true),
  lit: () => lit,
  drawn: () => drawn,
  position: (name) => film.named(name).position.toArray(),
  line: (name) => film.lines[film.run.wires.findIndex((wire) => wire.name === name)],
  target: () => world.controls.target.toArray(),
  inside: () => world.inside(),
  cells: () => world.cells,
};
document.body.dataset.ready = "yes";
