// Light, ground, sky, camera: the world around what the result tells.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { theme } from "./colours.js";
import { FRAME } from "./shapes.js";

const VIEWS = { fit: [1.2, -2, 0.9], front: [0, -1, 0.02], side: [1, 0, 0.02], top: [0, -1e-3, 1] };

const SOLID = 0.3; // of a ground's radius; from there it fades
const fade = (r) => Math.min(1, (1 - r) / (1 - SOLID));

// A disc that fades towards its rim; light costs no texture, which drawing in software would take long to read.
const disc = (radius) => {
  const geometry = new THREE.RingGeometry(0, radius, 48, 10);
  const place = geometry.attributes.position;
  const tints = new Float32Array(4 * place.count);
  for (let i = 0; i < place.count; i++)
    tints.set([1, 1, 1, fade(Math.hypot(place.getX(i), place.getY(i)) / radius)], 4 * i);
  return geometry.setAttribute("color", new THREE.BufferAttribute(tints, 4));
};
// Lines a cell apart in both directions, which fade as the disc does.
const grid = (radius, cell) => {
  const places = [],
    tints = [],
    pieces = 24;
  for (let v = -Math.floor(radius / cell) * cell; v < radius; v += cell) {
    const half = Math.sqrt(Math.max(0, radius * radius - v * v));
    const along = Array.from({ length: pieces + 1 }, (_, k) => half * ((2 * k) / pieces - 1));
    for (const turned of [false, true])
      for (let k = 0; k < 2 * pieces; k++) {
        const u = along[(k + 1) >> 1]; // 0, 1, 1, 2, 2, ...: both ends of each piece
        places.push(...(turned ? [v, u, 0] : [u, v, 0]));
        tints.push(0, 0, 0, 0.16 * fade(Math.hypot(u, v) / radius));
      }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  return geometry.setAttribute("color", new THREE.Float32BufferAttribute(tints, 4));
};
export const nice = (x) => {
  const step = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].map((m) => m * step).find((s) => s <= x * (1 + 1e-9));
};

export class World {
  constructor(canvas, runs, changed) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.balls = runs.flatMap((run) => run.balls());
    this.box = around(this.balls);
    this.box.expandByScalar(Math.max(1e-3, 0.01 * this.box.getSize(new THREE.Vector3()).length()));
    this.centre = this.box.getCenter(new THREE.Vector3());
    this.size = 0.5 * this.box.getSize(new THREE.Vector3()).length();
    this.up = new THREE.Vector3(...runs[0].up);
    this.camera = new THREE.PerspectiveCamera(36, 1, this.size / 2000, this.size * 80);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.cells = [{ x: 0, y: 0, width: 1, height: 1 }];
    this.controls.addEventListener("change", changed);
    this.light();
    this.grounds = [];
    for (const plane of distinct(runs.flatMap((run) => run.ground))) this.ground(plane, runs);
    this.themed();
  }

  light() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x9a9488, 1.7);
    const sun = new THREE.DirectionalLight(0xfff4e0, 2.1);
    const reach = 1.15 * this.size;
    sun.position.copy(this.centre).add(new THREE.Vector3(0.6, -0.9, 2).setLength(3 * this.size));
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.size });
    sun.shadow.camera.far = 6 * this.size;
    sun.shadow.normalBias = this.size / 800;
    sun.shadow.radius = 4;
    this.scene.add(this.sky, sun, sun.target);
  }

  // A plane that something passes below is translucent, as water, and takes no shadows.
  ground({ normal, height }, runs) {
    const n = new THREE.Vector3(...normal);
    const wet = runs.some((run) => run.wet);
    const cell = nice(this.size / 3),
      radius = cell * Math.ceil((7 * this.size) / cell);
    const look = { vertexColors: true, transparent: true, depthWrite: false };
    const flat = { ...look, side: THREE.DoubleSide, forceSinglePass: true, opacity: wet ? 0.45 : 1 };
    Object.assign(flat, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    const sheet = new THREE.Mesh(
      disc(radius),
      wet ? new THREE.MeshBasicMaterial(flat) : new THREE.MeshLambertMaterial(flat),
    );
    const lines = new THREE.LineSegments(grid(radius, cell), new THREE.LineBasicMaterial(look));
    sheet.receiveShadow = !wet;
    sheet.renderOrder = wet ? 5 : -2;
    lines.renderOrder = sheet.renderOrder + 1;
    sheet.add(lines);
    sheet.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
    sheet.position.copy(this.centre).addScaledVector(n, height - n.dot(this.centre));
    this.scene.add(sheet);
    this.grounds.push({ sheet, wet });
  }

  themed() {
    const { land, water, frame } = theme();
    FRAME.set(frame);
    for (const { sheet, wet } of this.grounds) sheet.material.color.set(wet ? water : land);
  }

  // The nearest place in a direction from which all that is ever seen, or these balls, fit into the picture.
  look(name, balls = this.balls) {
    const { camera } = this,
      centre = around(balls).getCenter(new THREE.Vector3());
    camera.position.copy(centre).add(new THREE.Vector3(...VIEWS[name]));
    camera.lookAt(centre);
    camera.updateMatrixWorld();
    const right = new THREE.Vector3(),
      up = new THREE.Vector3(),
      back = new THREE.Vector3();
    camera.matrixWorld.extractBasis(right, up, back);
    const rise = 0.85 * Math.tan((camera.fov * Math.PI) / 360),
      wide = rise * camera.aspect;
    // In the plane of the picture: from the middle of what is seen, for |x| ≤ wide · depth and |y| ≤ rise · depth.
    const sides = [
      [right, wide],
      [up, rise],
    ].map(([axis, slope]) => {
      const ends = [-1, 1].map((sign) =>
        Math.max(...balls.map(({ at, radius }) => sign * at.dot(axis) + slope * at.dot(back) + 1.1 * radius)),
      );
      return { middle: 0.5 * (ends[1] - ends[0]), depth: (0.5 * (ends[0] + ends[1])) / slope };
    });
    const [across, along] = sides;
    const nearest = Math.max(...balls.map(({ at, radius }) => at.dot(back) + radius)) + 4 * camera.near;
    const depth = Math.max(across.depth, along.depth, nearest);
    const target = new THREE.Vector3().addScaledVector(right, across.middle).addScaledVector(up, along.middle);
    target.addScaledVector(back, centre.dot(back));
    this.controls.target.copy(target);
    camera.position.copy(target).addScaledVector(back, depth - centre.dot(back));
    this.controls.update();
  }

  // How much farther everything goes than it reaches at once.
  travel(balls) {
    return this.size / (0.5 * around(balls).getSize(new THREE.Vector3()).length() || 1);
  }

  // Whether all that is ever seen is in the picture.
  inside() {
    this.camera.updateMatrixWorld();
    return this.balls.every(({ at }) => {
      const { x, y } = at.clone().project(this.camera);
      return Math.max(Math.abs(x), Math.abs(y)) <= 1;
    });
  }

  // Cells of one size, as many as asked for, all seen by the one camera.
  resize(width, height, count) {
    this.renderer.setSize(width, height, false);
    this.cells = cells(width, height, count);
    this.camera.aspect = this.cells[0].width / Math.max(1, this.cells[0].height);
    this.camera.updateProjectionMatrix();
  }

  // Where a point is in a cell's picture [px of the canvas], and whether it is in front of the camera.
  project(point, { x, y, width, height }) {
    const p = point.clone().project(this.camera);
    return [x + 0.5 * (p.x + 1) * width, y + 0.5 * (1 - p.y) * height, p.z < 1];
  }

  pixelsPerMetre() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.cells[0].height / (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  // All groups in the one cell there is, or each in its own.
  render(groups) {
    const { renderer, cells } = this;
    const bottom = renderer.getSize(new THREE.Vector2()).y;
    renderer.setScissorTest(cells.length > 1);
    cells.forEach(({ x, y, width, height }, k) => {
      groups.forEach((group, j) => {
        group.visible = cells.length === 1 || j === k;
      });
      renderer.setViewport(x, bottom - y - height, width, height);
      renderer.setScissor(x, bottom - y - height, width, height);
      renderer.render(this.scene, this.camera);
    });
  }
}

// In as many columns as make their smaller side largest.
const cells = (width, height, count) => {
  const rows = (columns) => Math.ceil(count / columns);
  const side = (columns) => Math.min(width / columns, height / rows(columns));
  const columns = Array.from({ length: count }, (_, k) => k + 1).reduce((a, b) => (side(b) > side(a) ? b : a));
  const [w, h] = [width / columns, height / rows(columns)].map(Math.floor);
  return Array.from({ length: count }, (_, k) => ({
    x: (k % columns) * w,
    y: Math.floor(k / columns) * h,
    width: w,
    height: h,
  }));
};
const around = (balls) => {
  const box = new THREE.Box3();
  for (const { at, radius } of balls)
    box.expandByPoint(at.clone().addScalar(radius)).expandByPoint(at.clone().addScalar(-radius));
  return box;
};
const distinct = (planes) => {
  const seen = new Map();
  for (const plane of planes) seen.set([...plane.normal, plane.height].map((x) => x.toFixed(6)).join(), plane);
  return [...seen.values()];
};
