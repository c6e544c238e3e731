// Line segments with a width in pixels, as many as a frame needs, in one draw call.
import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

const DASHES = 25; // of a line

export class Strokes {
  constructor(width, opacity = 1) {
    this.width = width;
    // Transparent even where it is not: one shader for all, which drawing in software is long in making.
    const look = { linewidth: width, vertexColors: true, transparent: true, opacity };
    this.mesh = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial(look));
    this.mesh.frustumCulled = false;
    this.grow(64);
    this.used = 0;
  }

  grow(room) {
    const before = this.places;
    this.places = new Float32Array(6 * room);
    this.colours = new Float32Array(6 * room);
    if (before) {
      this.places.set(before);
      this.colours.set(this.tints);
    }
    this.tints = this.colours;
    this.room = room;
    this.mesh.geometry.dispose();
    this.mesh.geometry = new LineSegmentsGeometry().setPositions(this.places).setColors(this.colours);
    this.places = this.mesh.geometry.attributes.instanceStart.data.array;
    this.tints = this.mesh.geometry.attributes.instanceColorStart.data.array;
  }

  // Thinner and translucent, or as they were.
  faint(on) {
    Object.assign(this.mesh.material, { linewidth: on ? 0.6 * this.width : this.width, opacity: on ? 0.5 : 1 });
  }

  begin() {
    this.used = 0;
  }

  // As dashes, from end to end: as long as what is left out between them.
  dashed(points, colour) {
    const far = [0];
    for (let j = 3; j < points.length; j += 3)
      far.push(
        far.at(-1) +
          Math.hypot(points[j] - points[j - 3], points[j + 1] - points[j - 2], points[j + 2] - points[j - 1]),
      );
    const dash = far.at(-1) / (2 * DASHES - 1);
    let i = 0; // the piece that s is on
    const at = (s) => {
      while (i < far.length - 2 && far[i + 1] < s) i++;
      const part = Math.min(1, (s - far[i]) / (far[i + 1] - far[i]) || 0);
      return [0, 1, 2].map((c) => points[3 * i + c] + part * (points[3 * i + 3 + c] - points[3 * i + c]));
    };
    for (let n = 0; n < DASHES; n++) {
      const line = at(2 * n * dash);
      const first = i;
      const end = at((2 * n + 1) * dash);
      this.polyline([...line, ...points.slice(3 * first + 3, 3 * i + 3), ...end], colour);
    }
  }

  // `every` 2 leaves out every second piece.
  polyline(points, colour, every = 1) {
    const pieces = points.length / 3 - 1;
    while (this.used + pieces > this.room) this.grow(2 * this.room);
    for (let i = 0; i < pieces; i += every) {
      const at = 6 * this.used++;
      for (let j = 0; j < 6; j++) this.places[at + j] = points[3 * i + j];
      for (let j = 0; j < 2; j++) {
        this.tints[at + 3 * j] = colour.r;
        this.tints[at + 3 * j + 1] = colour.g;
        this.tints[at + 3 * j + 2] = colour.b;
      }
    }
  }

  end() {
    const { geometry } = this.mesh;
    geometry.instanceCount = this.used;
    geometry.attributes.instanceStart.data.needsUpdate = true;
    geometry.attributes.instanceColorStart.data.needsUpdate = true;
    this.mesh.visible = this.used > 0;
  }
}

const kept = new Map();
export const colour = (css) => {
  if (!kept.has(css)) kept.set(css, new THREE.Color(css));
  return kept.get(css);
};
