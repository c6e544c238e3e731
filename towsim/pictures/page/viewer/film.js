// A run in the world: its bodies, robots, wires, paths and forces at any time.
import * as THREE from "three";
import { colourOf, ramp } from "./colours.js";
import { hang } from "./hang.js";
import { bodyShape, ghost, lug, robotShape } from "./shapes.js";
import { colour, Strokes } from "./strokes.js";

const TRAIL = 1200; // points of a path
const LIT = 0xffc400;

export class Film {
  constructor(run, world) {
    this.run = run;
    this.world = world;
    this.unit = Math.min(world.size / 22, Math.max(run.breadth / 30, world.size / 120));
    this.group = new THREE.Group();
    const add = (object, one, kind, index) => {
      object.name = one.name;
      object.userData = { kind, index };
      for (const { of, owner, offset } of run.wires.flatMap((wire) => wire.places)) {
        const post = kind === "body" && of === kind && owner === index && one.kind === "box" && lug(offset, one.size);
        if (post) object.add(post);
      }
      this.group.add(object);
      return object;
    };
    this.bodies = run.bodies.map((one, i) => add(bodyShape(one, this.unit), one, "body", i));
    this.robots = run.robots.map((one, i) => add(robotShape(one, this.unit), one, "robot", i));
    this.strokes = {
      taut: new Strokes(2.6),
      slack: new Strokes(1.6),
      lit: new Strokes(5),
      force: new Strokes(3),
      spar: new Strokes(5),
    };
    this.trails = new Strokes(1.3, 0.55);
    this.tips = new THREE.InstancedMesh(
      new THREE.ConeGeometry(0.22 * this.unit, 0.7 * this.unit, 14),
      new THREE.MeshBasicMaterial({ color: 0xd7263d }),
      2 * run.wires.length + 1,
    );
    this.tips.frustumCulled = false;
    for (const one of Object.values(this.strokes)) this.group.add(one.mesh);
    this.group.add(this.trails.mesh, this.tips);
    this.drawTrails();
    this.options = { forces: false, paint: run.wires.length > 8 ? "tension" : "wire" };
    this.lines = run.wires.map(() => null);
    world.scene.add(this.group);
  }

  // As what another run is laid over, or as itself.
  faint(on) {
    for (const object of [...this.bodies, ...this.robots]) ghost(object, on);
    for (const name of ["taut", "slack", "spar"]) this.strokes[name].faint(on);
  }

  // Where a run is: its first body, or the end of its first line.
  place() {
    const line = this.lines.find((one) => one);
    return this.bodies[0]?.position ?? (line && new THREE.Vector3().fromArray(line, line.length - 3));
  }

  named(name) {
    return [...this.bodies, ...this.robots].find((object) => object.name === name);
  }

  shadeOf(i) {
    const { run, options } = this;
    if (options.paint === "wire") return colourOf(i, run.wires.length);
    return ramp(Math.max(0, run.value("tension", i)) / run.tension_scale);
  }

  // Points of a wire as it is drawn: a slack one hangs in its length, in the longest of its spans.
  shape(i) {
    const { run } = this,
      points = run.points(i);
    const gap = run.nodes[i] ? 0 : run.value("gap", i);
    if (!run.slack(i) || !(gap > 0)) return points;
    let longest = 0,
      most = -1;
    for (let j = 0; j < points.length - 3; j += 3) {
      const span = Math.hypot(points[j + 3] - points[j], points[j + 4] - points[j + 1], points[j + 5] - points[j + 2]);
      if (span > most) {
        most = span;
        longest = j;
      }
    }
    const [a, b] = [points.slice(longest, longest + 3), points.slice(longest + 3, longest + 6)];
    const curve = hang(a, b, most + gap, run.up);
    return [...points.slice(0, longest), ...this.above(curve), ...points.slice(longest + 6)];
  }

  // A slack wire lies on the ground, if its ends are above it.
  above(curve) {
    for (const { normal: n, height } of this.run.ground) {
      const over = (j) => n[0] * curve[j] + n[1] * curve[j + 1] + n[2] * curve[j + 2] - height;
      if (over(0) < 0 || over(curve.length - 3) < 0) continue;
      for (let j = 0; j < curve.length; j += 3) {
        const depth = over(j);
        if (depth < 0) for (let c = 0; c < 3; c++) curve[j + c] -= depth * n[c];
      }
    }
    return curve;
  }

  show(t, lit) {
    const { run, strokes } = this;
    run.seek(t);
    const { body, turn, robot } = run.now;
    this.bodies.forEach((object, i) => {
      object.position.fromArray(body, 3 * i);
      object.quaternion.set(turn[4 * i + 1], turn[4 * i + 2], turn[4 * i + 3], turn[4 * i]);
    });
    this.robots.forEach((object, i) => {
      object.position.fromArray(robot, 3 * i);
      if (["rover", "vessel"].includes(run.robots[i].kind)) object.rotation.z = run.heading(i);
    });
    for (const one of Object.values(strokes)) one.begin();
    for (const ends of run.spars)
      strokes.spar.polyline(
        ends.flatMap((i) => [...robot.subarray(3 * i, 3 * i + 3)]),
        colour("#6c7a89"),
      );
    run.wires.forEach((wire, i) => {
      this.lines[i] = run.there(i, t) ? this.shape(i) : null;
      if (!this.lines[i]) return;
      if (wire.name === lit) strokes.lit.polyline(this.lines[i], colour("#ffc400"));
      if (run.slack(i)) strokes.slack.dashed(this.lines[i], colour(this.shadeOf(i)));
      else strokes.taut.polyline(this.lines[i], colour(this.shadeOf(i)));
    });
    this.drawForces();
    for (const one of Object.values(strokes)) one.end();
    for (const object of [...this.bodies, ...this.robots]) highlight(object, object.name === lit);
  }

  // What each wire pulls with, at its ends on bodies: as long as the tension is large.
  drawForces() {
    const { run, tips, strokes } = this;
    let n = 0;
    const arrow = (points, pull) => {
      const from = new THREE.Vector3(points[0], points[1], points[2]);
      const along = new THREE.Vector3(points[3], points[4], points[5]).sub(from).normalize();
      const length = Math.min(3, pull / run.tension_scale) * 0.4 * this.world.size;
      const tip = from.clone().addScaledVector(along, length);
      strokes.force.polyline([...from.toArray(), ...tip.toArray()], colour("#d7263d"));
      const turned = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
      tips.setMatrixAt(n++, new THREE.Matrix4().compose(tip, turned, new THREE.Vector3(1, 1, 1)));
    };
    if (this.options.forces)
      run.wires.forEach((wire, i) => {
        const pull = run.value("tension", i),
          line = this.lines[i];
        if (!line || !(pull > 0)) return;
        const ends = wire.places.length ? [wire.places[0].of, wire.places.at(-1).of] : ["robot", "body"];
        if (ends[0] === "body") arrow(line.slice(0, 6), pull);
        if (ends[1] === "body") arrow([...line.slice(-3), ...line.slice(-6, -3)], pull);
      });
    tips.count = n;
    tips.visible = n > 0;
    tips.instanceMatrix.needsUpdate = true;
  }

  drawTrails() {
    const { run, trails } = this;
    const every = Math.max(1, Math.floor(run.frames / TRAIL));
    const trail = (data, i, css, dash) => {
      const points = [];
      for (let k = 0; k < run.frames; k += every)
        points.push(...data.values.subarray(k * data.width + 3 * i, k * data.width + 3 * i + 3));
      trails.polyline(points, colour(css), dash);
    };
    trails.begin();
    if (run.bodies.length <= 40)
      run.bodies.forEach((_, i) => {
        trail(run.moving.body, i, colourOf(i, run.bodies.length), 1);
      });
    run.robots.forEach((_, i) => {
      trail(run.moving.robot, i, "#888888", 2);
    });
    trails.end();
  }
}

const highlight = (object, on) => {
  if (object.userData.lit === on) return;
  object.userData.lit = on;
  object.traverse((one) => {
    if (one.material?.emissive) {
      one.material.emissive.setHex(on ? LIT : 0);
      one.material.emissiveIntensity = on ? 0.45 : 0;
    }
  });
};
