// The numbers of the page: what towsim/pictures/packing.py wrote, and the state of a run at any time.
import { Vector3 } from "three";

const decode = ({ start, shape, quantum, orders, small, unknown }, bytes) => {
  const rows = shape[0];
  const width = shape.slice(1).reduce((a, b) => a * b, 1);
  const nodes = shape.length > 2 ? shape[1] : 1;
  const size = rows * width;
  const codes = new Int32Array(size);
  const column = new Int32Array(rows);
  for (let c = 0; c < width; c++) {
    for (let k = 0; k < rows; k++) {
      const i = start + c * rows + k;
      const u = bytes[i] | (bytes[i + size] << 8) | (bytes[i + 2 * size] << 16) | (bytes[i + 3 * size] << 24);
      column[k] = (u >>> 1) ^ -(u & 1);
    }
    for (let o = 0; o < orders[0]; o++) for (let k = 1; k < rows; k++) column[k] += column[k - 1];
    for (let k = 0; k < rows; k++) codes[k * width + c] = column[k];
  }
  const inner = width / nodes;
  for (let o = 0; o < orders[1]; o++)
    for (let k = 0; k < rows; k++)
      for (let j = k * width + inner; j < (k + 1) * width; j++) codes[j] += codes[j - inner];
  const values = shape.length === 1 ? new Float64Array(size) : new Float32Array(size);
  const number = small === undefined ? (k) => k * quantum : (k) => small * Math.sinh(k * quantum);
  for (let i = 0; i < size; i++) values[i] = number(codes[i]);
  if (unknown !== undefined)
    for (let i = 0; i < size; i++) if ((bytes[unknown + (i >> 3)] >> (i & 7)) & 1) values[i] = Number.NaN;
  return { values, width };
};

// A variable over time, a column for each name; read when it is first asked for.
class Curve {
  constructor(about, read) {
    Object.assign(this, about);
    this.width = about.names.length;
    this.read = read;
  }

  get values() {
    this.known ??= this.read();
    return this.known;
  }
}

export class Run {
  constructor(head, arrays, bytes) {
    Object.assign(this, head);
    const array = (name) => decode(arrays[head.prefix + name], bytes);
    this.time = array("time").values;
    this.first = this.time[0];
    this.last = this.time[this.frames - 1];
    this.moving = { body: array("position"), turn: array("quaternion"), robot: array("robot") };
    this.nodes = this.wires.map((wire) => (wire.places.length ? null : array(`node.${wire.name}`)));
    this.loose = array("slack");
    const wires = this.wires.map((wire) => wire.name);
    this.curves = new Map();
    const offer = (about, read) => this.curves.set(about.name, new Curve(about, read));
    if (wires.length) {
      const [pull, gap] = [
        { name: "tension", unit: "N", text: "force of the wire, the largest of each frame", names: wires, size: true },
        { name: "gap", unit: "m", text: "length less distance of the ends: slack when positive", names: wires },
      ];
      offer(pull, () => array("tension").values);
      offer(gap, () => array("gap").values);
    }
    for (const one of head.curves) {
      const name = one.name === "velocity" ? "speed" : one.name;
      offer({ ...one, name }, () => array(`curve.${one.name}`).values);
    }
    const movers = [
      ...this.bodies.map((one, i) => [one.name, this.moving.body, i]),
      ...this.robots.map((one, i) => [one.name, this.moving.robot, i]),
    ];
    const names = movers.map(([name]) => name);
    const along = (j) => () => {
      const values = new Float32Array(this.frames * movers.length);
      for (let k = 0; k < this.frames; k++)
        movers.forEach(([, data, i], m) => {
          values[k * movers.length + m] = data.values[k * data.width + 3 * i + j];
        });
      return values;
    };
    if (movers.length && movers.length <= 40)
      ["x", "y", "z"].forEach((name, j) => {
        offer({ name, unit: "m", text: `${name} of bodies and robots`, names }, along(j));
      });
    this.now = {
      body: new Float64Array(3 * this.bodies.length),
      turn: Float64Array.from({ length: 4 * this.bodies.length }, (_, j) => (j % 4 ? 0 : 1)),
      robot: new Float64Array(3 * this.robots.length),
      frame: 0,
    };
  }

  // The last frame that is not after t, and how far t is on the way to the next.
  between(t) {
    let low = 0,
      high = this.frames - 1;
    if (t >= this.last) return [high, 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle;
      else high = middle;
    }
    const span = this.time[high] - this.time[low];
    return [low, span > 0 ? Math.max(0, (t - this.time[low]) / span) : 0];
  }

  nearest(t) {
    const [k, part] = this.between(t);
    return part > 0.5 ? k + 1 : k;
  }

  // Find where everything is at t.
  seek(t) {
    const [k, part] = this.between(t);
    this.now.frame = part > 0.5 ? k + 1 : k;
    this.now.k = k;
    this.now.part = part;
    this.now.t = t;
    for (const name of ["body", "robot"]) mix(this.moving[name], k, part, this.now[name]);
    const turned = mix(this.moving.turn, k, part, new Float64Array(4 * this.turning.length));
    this.turning.forEach((i, m) => {
      const q = turned.subarray(4 * m, 4 * m + 4);
      const size = Math.hypot(...q) || 1;
      for (let j = 0; j < 4; j++) this.now.turn[4 * i + j] = q[j] / size;
    });
  }

  // Points of a wire at the time sought, as [x, y, z, x, ...].
  points(i) {
    const nodes = this.nodes[i];
    if (nodes) return mix(nodes, this.now.k, this.now.part, new Float64Array(nodes.width));
    const out = [];
    for (const { of, owner, offset } of this.wires[i].places) out.push(...this.place(of, owner, offset));
    return out;
  }

  place(of, owner, [x, y, z]) {
    const base = this.now[of],
      j = 3 * owner;
    if (of === "robot") return [base[j], base[j + 1], base[j + 2]];
    const q = this.now.turn,
      [w, a, b, c] = [q[4 * owner], q[4 * owner + 1], q[4 * owner + 2], q[4 * owner + 3]];
    const u = b * z - c * y + w * x,
      v = c * x - a * z + w * y,
      s = a * y - b * x + w * z;
    return [
      base[j] + x + 2 * (b * s - c * v),
      base[j + 1] + y + 2 * (c * u - a * s),
      base[j + 2] + z + 2 * (a * v - b * u),
    ];
  }

  // Where a vehicle goes, or last went or will go [rad].
  heading(i) {
    const { values, width } = this.moving.robot,
      { k } = this.now;
    const least = 1e-4 * this.breadth;
    for (const by of [1, -1])
      for (let j = k; j >= 0 && j < this.frames; j += by) {
        const [x, y] = [0, 1].map((c) => by * (values[j * width + 3 * i + c] - values[k * width + 3 * i + c]));
        if (Math.hypot(x, y) > least) return Math.atan2(y, x);
      }
    return 0;
  }

  // Places of all that is seen, at some sixty frames, and how far each reaches [m].
  balls() {
    return Array.from({ length: 61 }, (_, n) => this.seen(Math.round((n / 60) * (this.frames - 1)))).flat();
  }

  // The same as seen by who moves with the first body, and is where it is at the start.
  beside() {
    const { values, width } = this.moving.body;
    const home = new Vector3().fromArray(values, 0);
    return Array.from({ length: 61 }, (_, n) => {
      const k = Math.round((n / 60) * (this.frames - 1));
      const moved = new Vector3().fromArray(values, k * width).sub(home);
      return this.seen(k).map(({ at, radius }) => ({ at: at.sub(moved), radius }));
    }).flat();
  }

  // At one frame.
  seen(k) {
    const out = [];
    const add = ({ values, width }, radius, every = 1) => {
      for (let j = 0; j < width; j += 3 * every) {
        const at = new Vector3().fromArray(values, k * width + j);
        if (Number.isFinite(at.x)) out.push({ at, radius: radius(j / 3) });
      }
    };
    const reach = this.bodies.map(({ size }) => 0.5 * Math.hypot(...size) * (size.length === 1 ? 2 : 1));
    add(this.moving.body, (i) => reach[i]);
    add(this.moving.robot, () => this.breadth / 25);
    for (const nodes of this.nodes) if (nodes) add(nodes, () => 0, Math.ceil(nodes.width / 60));
    return out;
  }

  there(i, t = this.now.t) {
    return !this.wires[i].gone.some(([since, until]) => t >= since && t < until);
  }

  value(name, i, frame = this.now.frame) {
    const curve = this.curves.get(name);
    return curve.values[frame * curve.width + i];
  }

  slack(i) {
    return this.loose.values[this.now.frame * this.loose.width + i] > 0;
  }
}

const mix = (data, k, part, out) => {
  const start = k * data.width;
  for (let i = 0; i < data.width; i++) {
    const a = data.values[start + i];
    out[i] = part > 0 ? a + part * (data.values[start + data.width + i] - a) : a;
  }
  return out;
};
