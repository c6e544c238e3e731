// The page's scene, clock and traces. `run` is what towsim/view/page3d.py wrote: head as JSON, numbers as float32.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const run = window.run;
const $ = (id) => document.getElementById(id);
const frames = run.frames;
const part = (name) => {
  const { start, shape } = run.arrays[name];
  const width = shape.slice(1).reduce((a, b) => a * b, 1);
  const values = run.numbers.subarray(start, start + shape[0] * width);
  return { values, width, row: (k) => values.subarray(k * width, (k + 1) * width) };
};
const time = part("time").values,
  position = part("position"),
  quaternion = part("quaternion");
const robot = part("robot"),
  path = part("path"),
  tension = part("tension"),
  gap = part("gap");

// ---------------------------------------------------------------- colours
const highest = run.tension_scale || 1;
const RAMP = [
  [0.0, 0x2166ac],
  [0.35, 0x35978f],
  [0.6, 0xe6a817],
  [1.0, 0xc51b1b],
].map(([x, c]) => [x, new THREE.Color(c)]);
const SLACK = new THREE.Color(0x8a8a8a);
const tint = (value, out) => {
  const x = Math.min(1, Math.max(0, value / highest));
  let i = 1;
  while (i < RAMP.length - 1 && x > RAMP[i][0]) i++;
  const [a, from] = RAMP[i - 1],
    [b, to] = RAMP[i];
  return out.copy(from).lerp(to, (x - a) / (b - a));
};
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4c9a", "#5c5c5c"];

// ---------------------------------------------------------------- scene
const renderer = new THREE.WebGLRenderer({ canvas: $("canvas"), antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(Math.min(2, devicePixelRatio));
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xf1f3f5);
const camera = new THREE.PerspectiveCamera(40, 1, run.size / 500, run.size * 60);
camera.up.set(0, 0, 1);
const controls = new OrbitControls(camera, renderer.domElement);
scene.add(new THREE.HemisphereLight(0xffffff, 0x9a9488, 2.2));
const sun = new THREE.DirectionalLight(0xffffff, 1.6);
sun.position.set(1, -2, 3);
scene.add(sun);

const thin = run.size / 160;
const solid = (geometry, colour) =>
  new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.75 }));
const edged = (geometry, colour) => {
  const mesh = solid(geometry, colour);
  mesh.add(
    new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 25), new THREE.LineBasicMaterial({ color: 0x333333 })),
  );
  return mesh;
};
const shapes = {
  box: (one) => edged(new THREE.BoxGeometry(...one.size), 0xd9a566),
  sphere: (one) => solid(new THREE.SphereGeometry(one.size[0], 32, 20), 0xd9a566),
  cylinder: (one) =>
    edged(new THREE.CylinderGeometry(one.size[0], one.size[0], one.size[1], 40).rotateX(Math.PI / 2), 0xd9a566),
  point: () => solid(new THREE.SphereGeometry(2.2 * thin, 24, 16), 0xb5651d),
  quadcopter: (one) => {
    const group = new THREE.Group(),
      arm = one.size[0];
    for (let k = 0; k < 4; k++) {
      const angle = (k * Math.PI) / 2,
        x = arm * Math.cos(angle),
        y = arm * Math.sin(angle);
      const boom = solid(new THREE.BoxGeometry(arm, arm / 9, arm / 12), 0x3b3f45);
      boom.position.set(x / 2, y / 2, 0);
      boom.rotation.z = angle;
      const rotor = new THREE.Mesh(
        new THREE.CylinderGeometry(0.45 * arm, 0.45 * arm, arm / 40, 28).rotateX(Math.PI / 2),
        new THREE.MeshStandardMaterial({ color: k === 0 ? 0xc51b1b : 0x566270, transparent: true, opacity: 0.55 }),
      );
      rotor.position.set(x, y, arm / 7);
      group.add(boom, rotor);
    }
    group.add(solid(new THREE.BoxGeometry(arm / 2.2, arm / 2.2, arm / 4), 0x3b3f45));
    return group;
  },
};
const bodies = run.bodies.map((one) => {
  const object = shapes[one.kind](one);
  object.name = one.name;
  scene.add(object);
  return object;
});
const robots = run.robots.map((name) => {
  const object = solid(new THREE.OctahedronGeometry(2.4 * thin), 0x30475e);
  object.name = name;
  scene.add(object);
  return object;
});
for (const plane of run.ground) {
  const normal = new THREE.Vector3(...plane.normal);
  const extent = Math.max(4 * run.size, 1),
    grid = new THREE.GridHelper(extent, 20, 0xb9b9b9, 0xd6d6d6);
  const sheet = new THREE.Mesh(
    new THREE.PlaneGeometry(extent, extent),
    new THREE.MeshBasicMaterial({
      color: 0xe4e0d6,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
    }),
  );
  const centre = new THREE.Vector3(...run.centre);
  centre.addScaledVector(normal, plane.height - normal.dot(centre));
  for (const [object, axis] of [
    [grid, new THREE.Vector3(0, 1, 0)],
    [sheet, new THREE.Vector3(0, 0, 1)],
  ]) {
    object.quaternion.setFromUnitVectors(axis, normal);
    object.position.copy(centre);
    scene.add(object);
  }
}

// A wire is a tube along its points when it is thick enough to be seen, and dashed when it is slack.
const wires = run.wires.map((one) => {
  const pieces = one.points - 1;
  const taut = new THREE.InstancedMesh(
    new THREE.CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2),
    new THREE.MeshBasicMaterial(),
    pieces,
  );
  const slack = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineDashedMaterial({ color: SLACK, dashSize: 4 * thin, gapSize: 3 * thin }),
  );
  slack.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * pieces), 3));
  taut.frustumCulled = slack.frustumCulled = false;
  scene.add(taut, slack);
  return { ...one, pieces, taut, slack };
});
const a = new THREE.Vector3(),
  b = new THREE.Vector3(),
  along = new THREE.Vector3(),
  turn = new THREE.Quaternion();
const stretch = new THREE.Vector3(),
  place = new THREE.Matrix4(),
  z = new THREE.Vector3(0, 0, 1),
  shade = new THREE.Color();
const drawWire = (wire, points, pull, isSlack) => {
  wire.taut.visible = !isSlack;
  wire.slack.visible = isSlack;
  const line = wire.slack.geometry.attributes.position;
  for (let i = 0; i < wire.pieces; i++) {
    a.fromArray(points, 3 * (wire.first + i));
    b.fromArray(points, 3 * (wire.first + i + 1));
    line.setXYZ(2 * i, a.x, a.y, a.z);
    line.setXYZ(2 * i + 1, b.x, b.y, b.z);
    along.subVectors(b, a);
    const length = along.length() || 1e-12;
    turn.setFromUnitVectors(z, along.divideScalar(length));
    place.compose(a.addVectors(a, b).multiplyScalar(0.5), turn, stretch.set(thin / 2.5, thin / 2.5, length));
    wire.taut.setMatrixAt(i, place);
  }
  line.needsUpdate = true;
  wire.slack.computeLineDistances();
  wire.taut.instanceMatrix.needsUpdate = true;
  wire.taut.material.color.copy(isSlack ? SLACK : tint(pull, shade));
};

// ---------------------------------------------------------------- trails
const trail = (array, index, colour, dashed) => {
  const points = [];
  const every = Math.max(1, Math.floor(frames / 1500));
  for (let k = 0; k < frames; k += every) points.push(...array.row(k).subarray(3 * index, 3 * index + 3));
  points.push(...array.row(frames - 1).subarray(3 * index, 3 * index + 3));
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  const material = dashed
    ? new THREE.LineDashedMaterial({ color: colour, dashSize: 3 * thin, gapSize: 2 * thin })
    : new THREE.LineBasicMaterial({ color: colour });
  return new THREE.Line(geometry, material).computeLineDistances();
};
const trails = new THREE.Group();
trails.add(...run.bodies.map((_, i) => trail(position, i, LINES[i % LINES.length], false)));
trails.add(...run.robots.map((_, i) => trail(robot, i, 0x777777, true)));
scene.add(trails);

// ---------------------------------------------------------------- names
const label = (text) => {
  const canvas = document.createElement("canvas"),
    pen = canvas.getContext("2d");
  pen.font = "28px system-ui, sans-serif";
  canvas.width = pen.measureText(text).width + 12;
  canvas.height = 38;
  pen.font = "28px system-ui, sans-serif";
  pen.fillStyle = "#222";
  pen.fillText(text, 6, 28);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
  sprite.scale.set((canvas.width / 38) * 7 * thin, 7 * thin, 1);
  sprite.visible = false;
  scene.add(sprite);
  return sprite;
};
const names = [...bodies, ...robots].map((object) => ({ object, sprite: label(object.name) }));

// ---------------------------------------------------------------- one frame
let now = time[0],
  frame = 0,
  playing = false,
  followed = null;
const draw = (t) => {
  now = Math.min(time[frames - 1], Math.max(time[0], t));
  let low = 0,
    high = frames - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= now) low = middle;
    else high = middle;
  }
  frame = high > 0 && time[high] - now < now - time[low] ? high : low;
  const before = followed?.position.clone();
  const x = position.row(frame),
    q = quaternion.row(frame),
    r = robot.row(frame),
    p = path.row(frame);
  bodies.forEach((object, i) => {
    object.position.fromArray(x, 3 * i);
    object.quaternion.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]);
  });
  robots.forEach((object, i) => {
    object.position.fromArray(r, 3 * i);
  });
  wires.forEach((wire, i) => {
    drawWire(wire, p, tension.row(frame)[i], !(tension.row(frame)[i] > run.slack_below));
  });
  names.forEach(({ object, sprite }) => {
    sprite.position.copy(object.position).add(stretch.set(0, 0, 6 * thin));
  });
  if (followed) {
    const moved = followed.position.clone().sub(before);
    controls.target.add(moved);
    camera.position.add(moved);
  }
  $("clock").textContent = `${now.toFixed(3)} s`;
  $("scrub").value = String(frame);
};
const look = (x, y, z) => {
  const distance = (0.9 * run.size) / Math.tan((camera.fov * Math.PI) / 360) / Math.min(1, camera.aspect);
  controls.target.set(...run.centre);
  camera.position.set(...run.centre).add(new THREE.Vector3(x, y, z).setLength(distance));
  controls.update();
};

// ---------------------------------------------------------------- traces
const traces = $("traces"),
  pen = traces.getContext("2d");
const LEFT = 62,
  RIGHT = 14;
const at = (t) => LEFT + ((t - time[0]) / (time[frames - 1] - time[0] || 1)) * (traces.clientWidth - LEFT - RIGHT);
const figure = document.createElement("canvas");
const nice = (range) => {
  const step = 10 ** Math.floor(Math.log10(range / 3));
  return [1, 2, 5, 10].map((m) => m * step).find((s) => range / s <= 4) || step;
};
const curve = (ink, top, height, array, low, high, name) => {
  const y = (v) => top + height - ((Math.min(high, Math.max(low, v)) - low) / (high - low || 1)) * height;
  ink.strokeStyle = "#e3e3e3";
  ink.fillStyle = "#555";
  ink.font = "11px system-ui, sans-serif";
  ink.textAlign = "right";
  const tick = nice(high - low || 1);
  for (let v = Math.ceil(low / tick) * tick; v <= high; v += tick) {
    ink.beginPath();
    ink.moveTo(LEFT, y(v));
    ink.lineTo(traces.clientWidth - RIGHT, y(v));
    ink.stroke();
    ink.fillText(Number(v.toPrecision(6)).toString(), LEFT - 5, y(v) + 4);
  }
  ink.textAlign = "left";
  ink.fillText(name, LEFT + 4, top + 10);
  run.wires.forEach((_, i) => {
    ink.strokeStyle = LINES[i % LINES.length];
    ink.beginPath();
    for (let k = 0; k < frames; k++) {
      const v = array.row(k)[i];
      if (Number.isFinite(v)) ink.lineTo(at(time[k]), y(v));
    }
    ink.stroke();
  });
};
const drawFigure = () => {
  const ratio = devicePixelRatio;
  for (const canvas of [traces, figure]) {
    canvas.width = traces.clientWidth * ratio;
    canvas.height = traces.clientHeight * ratio;
  }
  const ink = figure.getContext("2d");
  ink.scale(ratio, ratio);
  const height = (traces.clientHeight - 34) / 2;
  curve(ink, 8, height, tension, 0, 1.08 * highest, "tension (N)");
  curve(ink, 18 + height, height, gap, ...run.gap_range, `gap (${run.gap_unit})`);
  run.wires.slice(0, 12).forEach((wire, i) => {
    ink.fillStyle = LINES[i % LINES.length];
    ink.fillText(wire.name, LEFT + 90 * (1 + (i % 6)), 18 + 12 * Math.floor(i / 6));
  });
};
const drawTraces = () => {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, traces.width, traces.height);
  pen.drawImage(figure, 0, 0);
  pen.scale(devicePixelRatio, devicePixelRatio);
  pen.strokeStyle = "#222";
  pen.beginPath();
  pen.moveTo(at(now), 4);
  pen.lineTo(at(now), traces.clientHeight - 16);
  pen.stroke();
  pen.fillStyle = "#222";
  pen.font = "11px system-ui, sans-serif";
  const text = run.wires
    .slice(0, 8)
    .map((wire, i) => `${wire.name} ${tension.row(frame)[i].toPrecision(4)} N`)
    .join("   ");
  pen.fillText(`t = ${now.toFixed(3)} s   ${text}`, LEFT, traces.clientHeight - 4);
};
const pick = (event) => {
  const x = event.clientX - traces.getBoundingClientRect().left;
  draw(time[0] + ((x - LEFT) / (traces.clientWidth - LEFT - RIGHT)) * (time[frames - 1] - time[0]));
};

// ---------------------------------------------------------------- controls
$("title").textContent = run.title;
$("status").textContent = run.note;
$("scrub").max = String(frames - 1);
$("scrub").addEventListener("input", () => {
  playing = false;
  draw(time[Number($("scrub").value)]);
});
traces.addEventListener("pointerdown", (event) => {
  traces.setPointerCapture(event.pointerId);
  pick(event);
});
traces.addEventListener("pointermove", (event) => {
  if (event.buttons) pick(event);
});
const MARKS = {
  jerk: "#c51b1b",
  break: "#7b1fa2",
  contact: "#2e7d32",
  infeasible: "#000",
  slack: "#888",
  taut: "#1565c0",
};
for (const event of run.events) {
  const mark = document.createElement("span");
  mark.style.left = `${(100 * (event.time - time[0])) / (time[frames - 1] - time[0] || 1)}%`;
  mark.style.borderTopColor = MARKS[event.kind] || "#666";
  mark.title = event.text;
  mark.dataset.kind = event.kind;
  mark.addEventListener("click", () => draw(event.time));
  $("marks").append(mark);
}
const toggle = () => {
  playing = !playing;
  if (playing && frame >= frames - 1) draw(time[0]);
};
$("play").addEventListener("click", toggle);
$("trails").addEventListener("change", () => {
  trails.visible = $("trails").checked;
});
$("names").addEventListener("change", () =>
  names.forEach(({ sprite }) => {
    sprite.visible = $("names").checked;
  }),
);
$("fit").addEventListener("click", () => look(1.2, -2, 0.9));
$("front").addEventListener("click", () => look(0, -1, 0));
$("side").addEventListener("click", () => look(1, 0, 0));
$("top").addEventListener("click", () => look(0, -1e-3, 1));
for (const object of [...bodies, ...robots]) $("camera").append(new Option(`follow ${object.name}`, object.name));
$("camera").addEventListener("change", () => {
  followed = [...bodies, ...robots].find((object) => object.name === $("camera").value) || null;
  if (followed) controls.target.copy(followed.position);
});
addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT") return;
  const act = {
    " ": toggle,
    f: () => look(1.2, -2, 0.9),
    ArrowRight: () => draw(time[Math.min(frames - 1, frame + 1)]),
    ArrowLeft: () => draw(time[Math.max(0, frame - 1)]),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});
const ramp = RAMP.map(([x, colour]) => `#${colour.getHexString()} ${100 * x}%`).join(",");
$("legend").innerHTML = run.wires.length
  ? `0 <i style="background:linear-gradient(90deg,${ramp})"></i> ${Number(highest.toPrecision(3))} N, dashed: slack`
  : "";
const resize = () => {
  const { clientWidth, clientHeight } = $("scene");
  renderer.setSize(clientWidth, clientHeight, false);
  camera.aspect = clientWidth / clientHeight;
  camera.updateProjectionMatrix();
  drawFigure();
};
addEventListener("resize", resize);

let last = performance.now();
const tick = (clock) => {
  const passed = Math.min(0.1, (clock - last) / 1000);
  last = clock;
  if (playing) {
    draw(now + passed * Number($("speed").value));
    playing = now < time[frames - 1];
  }
  $("play").textContent = playing ? "❚❚" : "▶";
  controls.update();
  renderer.render(scene, camera);
  drawTraces();
  requestAnimationFrame(tick);
};
resize();
draw(time[0]);
look(1.2, -2, 0.9);
window.viewer = {
  seek: draw,
  play: toggle,
  time: () => now,
  position: (name) => scene.getObjectByName(name).position.toArray(),
  wires,
};
document.body.dataset.ready = "yes";
requestAnimationFrame(tick);
