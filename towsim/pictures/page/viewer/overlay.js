// What is written over the picture: names, axes, a scale.
import * as THREE from "three";
import { theme } from "./colours.js";
import { nice } from "./world.js";

const AXES = [
  ["x", new THREE.Vector3(1, 0, 0)],
  ["y", new THREE.Vector3(0, 1, 0)],
  ["z", new THREE.Vector3(0, 0, 1)],
];

const LINE = 14; // px: height of a name
const BESIDE = [-12, 20, -26, 34, -40, 48, -54, 62, -68]; // px: how far below its place a name may stand

export class Overlay {
  constructor(canvas, world) {
    this.canvas = canvas;
    this.world = world;
    this.named = false;
  }

  resize() {
    const { canvas } = this;
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
  }

  // Of runs laid over each other the first one's names, and where each of them is; of others the title above its cell.
  draw(films, lit) {
    const pen = this.canvas.getContext("2d"),
      { ink } = theme();
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = ink;
    this.triad(pen);
    this.scale(pen, ink);
    const { cells } = this.world;
    if (cells.length > 1)
      cells.forEach((cell, k) => {
        this.title(pen, cell, films[k].run.title);
      });
    pen.textAlign = "center";
    this.taken = [];
    if (cells.length < films.length)
      for (const one of films) {
        const place = one.place();
        if (place) this.name(pen, cells[0], place, one.run.title);
      }
    cells.forEach((cell, k) => {
      this.names(pen, cell, films[k], lit);
    });
  }

  title(pen, { x, y, width, height }, text) {
    pen.save();
    pen.strokeStyle = theme().line;
    pen.strokeRect(x, y, width, height);
    pen.textAlign = "left";
    pen.font = `bold ${pen.font}`;
    pen.fillText(text, x + 12, y + 20, width - 24);
    pen.restore();
  }

  names(pen, cell, film, lit) {
    for (const object of [...film.bodies, ...film.robots]) {
      if (this.named || object.name === lit) this.name(pen, cell, object.position, object.name);
    }
    film.lines.forEach((line, i) => {
      const { name } = film.run.wires[i];
      if (!line || !(this.named || name === lit)) return;
      const share = 0.35 + (0.3 * (i + 0.5)) / film.lines.length; // of the way, so that names of crossing wires part
      const j = 3 * Math.floor(share * (line.length / 3 - 1));
      const [from, to] = [j, j + 3].map((k) => new THREE.Vector3().fromArray(line, k));
      this.name(pen, cell, from.lerp(to, (share * (line.length / 3 - 1)) % 1), name);
    });
  }

  // Above its place or below it, so far away that it stands on no other name; left out where there is no room.
  name(pen, cell, place, text) {
    const [x, y0, front] = this.world.project(place, cell);
    if (!front || x < cell.x || x > cell.x + cell.width) return;
    const wide = pen.measureText(text).width;
    const free = (y) =>
      this.taken.every((one) => Math.abs(one.y - y) >= LINE || Math.abs(one.x - x) > (one.wide + wide) / 2);
    const y = BESIDE.map((by) => y0 + by).find(free);
    if (y === undefined) return;
    this.taken.push({ x, y, wide });
    pen.strokeStyle = theme().panel;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }

  triad(pen) {
    const x0 = 38,
      y0 = this.canvas.clientHeight - 44;
    const turn = this.world.camera.quaternion.clone().invert();
    const tints = theme();
    const axes = AXES.map(([name, axis]) => [name, tints[name], axis.clone().applyQuaternion(turn)]);
    pen.lineWidth = 2.5;
    pen.textAlign = "center";
    for (const [name, tint, { x, y }] of axes.sort((a, b) => a[2].z - b[2].z)) {
      pen.strokeStyle = pen.fillStyle = tint;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x0 + 24 * x, y0 - 24 * y);
      pen.stroke();
      pen.fillText(name, x0 + 32 * x, y0 - 32 * y + 4);
    }
  }

  // True at the distance of the point the camera looks at.
  scale(pen, ink) {
    const perMetre = this.world.pixelsPerMetre();
    const length = nice(Math.min(120, this.canvas.clientWidth / 5) / perMetre),
      wide = length * perMetre,
      y = this.canvas.clientHeight - 14;
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(84, y - 5);
    pen.lineTo(84, y);
    pen.lineTo(84 + wide, y);
    pen.lineTo(84 + wide, y - 5);
    pen.stroke();
    pen.textAlign = "left";
    pen.fillText(metres(length), 90 + wide, y);
  }
}

export const metres = (x) => {
  const [k, unit] = [
    [1, "m"],
    [1e3, "mm"],
    [1e6, "µm"],
  ].find(([k]) => Math.abs(x) * k >= 0.999) || [1e9, "nm"];
  return `${Number((x * k).toPrecision(3))} ${unit}`;
};

// A number with its unit, short: of lengths with a prefix, of large forces, energies and powers in thousands.
export const quantity = (v, unit) => {
  if (unit === "m") return v === 0 ? "0 m" : metres(v);
  const thousands = Math.abs(v) >= 1e4 && /^[NJW]/.test(unit);
  const shown = unit === "1" ? "" : unit.replace("^2", "²");
  return `${Number((thousands ? v / 1e3 : v).toPrecision(4))} ${thousands ? "k" : ""}${shown}`;
};
