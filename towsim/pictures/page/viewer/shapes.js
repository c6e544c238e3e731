// What stands for bodies and robots.
import * as THREE from "three";

const LOAD = 0xd9a566,
  STEEL = 0x7d8894;

// Of frames, wheels and barrels: one for all of them, which stands out against the sky of a light or dark page.
export const FRAME = new THREE.Color();

const part = (geometry, tint) => {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: tint, roughness: 0.7 }));
  if (tint === FRAME) mesh.material.color = FRAME; // the very same, not a copy
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
};
const at = (mesh, x, y, z) => {
  mesh.position.set(x, y, z);
  return mesh;
};
const group = (...parts) => new THREE.Group().add(...parts);
// What is alike in many bodies is made once.
const made = new Map();
const once = (name, make) => {
  if (!made.has(name)) made.set(name, make());
  return made.get(name);
};
const edged = (geometry, tint) => {
  const mesh = part(geometry, tint);
  const ink = new THREE.LineBasicMaterial({ color: 0x333333, transparent: true, opacity: 0.6 });
  const edges = once(geometry.uuid, () => new THREE.EdgesGeometry(geometry, 25));
  return mesh.add(new THREE.LineSegments(edges, ink));
};
const upright = (radius, height, sides = 32) =>
  new THREE.CylinderGeometry(radius, radius, height, sides).rotateX(Math.PI / 2);
const ball = (...size) => once(`ball ${size}`, () => new THREE.SphereGeometry(...size));

const quadcopter = (arm) => {
  const parts = [part(new THREE.BoxGeometry(arm / 2.2, arm / 2.2, arm / 4), FRAME)];
  for (let k = 0; k < 4; k++) {
    const angle = (k * Math.PI) / 2,
      x = arm * Math.cos(angle),
      y = arm * Math.sin(angle);
    const boom = at(part(new THREE.BoxGeometry(arm, arm / 9, arm / 12), FRAME), x / 2, y / 2, 0);
    boom.rotation.z = angle;
    const tint = k === 0 ? 0xd7263d : 0x7b90a3; // the first is red
    const glass = new THREE.MeshBasicMaterial({ color: tint, transparent: true, opacity: 0.5 });
    const rotor = new THREE.Mesh(upright(0.45 * arm, arm / 40, 28), glass);
    rotor.castShadow = true;
    parts.push(boom, at(part(upright(arm / 14, arm / 6, 12), STEEL), x, y, arm / 14), at(rotor, x, y, arm / 7));
  }
  return group(...parts);
};

const BODIES = {
  box: ({ size }) =>
    edged(
      once(`box ${size}`, () => new THREE.BoxGeometry(...size)),
      LOAD,
    ),
  sphere: ({ size }) => part(ball(size[0], 32, 20), LOAD),
  cylinder: ({ size }) =>
    edged(
      once(`cylinder ${size}`, () => upright(size[0], size[1], 40)),
      LOAD,
    ),
  point: (_, unit) => part(ball(0.55 * unit, 24, 16), 0xb5651d),
  quadcopter: ({ size }) => quadcopter(size[0]),
};

// Robots have no size of their own: `unit` is what the eye needs. `above` is how high one is over the ground.
const ROBOTS = {
  post: (u) => {
    const cone = new THREE.ConeGeometry(0.55 * u, 0.9 * u, 4).rotateX(Math.PI / 2);
    return group(at(part(cone, STEEL), 0, 0, -0.45 * u), part(new THREE.SphereGeometry(0.25 * u, 16, 12), FRAME));
  },
  pulley: (u) => {
    const rim = part(new THREE.TorusGeometry(0.5 * u, 0.14 * u, 12, 32).rotateX(Math.PI / 2), STEEL);
    return group(rim, part(new THREE.CylinderGeometry(0.42 * u, 0.42 * u, 0.12 * u, 28), FRAME));
  },
  drum: (u) => {
    const flange = () => part(new THREE.CylinderGeometry(0.62 * u, 0.62 * u, 0.1 * u, 28), FRAME);
    const barrel = part(new THREE.CylinderGeometry(0.42 * u, 0.42 * u, 0.9 * u, 28), STEEL);
    return group(barrel, at(flange(), 0, 0.5 * u, 0), at(flange(), 0, -0.5 * u, 0));
  },
  lug: (u) => part(new THREE.SphereGeometry(0.22 * u, 20, 14), STEEL),
  // On its wheels on the ground, with a mast up to where it is held.
  rover: (u, above) => {
    const drop = above - 0.38 * u;
    const wheel = (x, y) =>
      at(part(new THREE.CylinderGeometry(0.28 * u, 0.28 * u, 0.2 * u, 20), FRAME), x, y, -0.1 * u);
    const hull = part(new THREE.BoxGeometry(1.5 * u, 0.9 * u, 0.4 * u), 0x30638e);
    const cab = at(part(new THREE.BoxGeometry(0.6 * u, 0.7 * u, 0.4 * u), 0x4f86b3), 0.3 * u, 0, 0.4 * u);
    const wheels = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].map((y) => wheel(x * u, y * u)));
    const car = group(hull, cab, ...wheels);
    const mast = drop > 0.2 * u ? [at(part(upright(0.07 * u, drop), STEEL), 0, 0, -drop / 2)] : [];
    return group(at(car, 0, 0, -drop), ...mast);
  },
  vessel: (u) => {
    const plan = new THREE.Shape(
      [
        [-0.9, -0.35],
        [0.5, -0.35],
        [1.1, 0],
        [0.5, 0.35],
        [-0.9, 0.35],
      ].map(([x, y]) => new THREE.Vector2(x * u, y * u)),
    );
    const hull = part(new THREE.ExtrudeGeometry(plan, { depth: 0.3 * u, bevelEnabled: false }), 0x8c2f39);
    const house = part(new THREE.BoxGeometry(0.5 * u, 0.45 * u, 0.4 * u), 0xe9ecef);
    return group(at(hull, 0, 0, -0.25 * u), at(house, 0.2 * u, 0, 0.25 * u));
  },
  marker: (u) => part(new THREE.OctahedronGeometry(0.4 * u), FRAME),
};

export const bodyShape = (body, unit) => BODIES[body.kind](body, unit);
export const robotShape = (robot, unit) => ROBOTS[robot.kind](unit, robot.above);
// What joins a box to a point of it that is outside.
export const lug = ([x, y, z], [a, b, c]) => {
  const within = (v, edge) => Math.min(edge / 2, Math.max(-edge / 2, v));
  const from = new THREE.Vector3(within(x, a), within(y, b), within(z, c)),
    to = new THREE.Vector3(x, y, z);
  const length = from.distanceTo(to);
  if (length < 1e-3 * Math.max(a, b, c)) return null;
  const wide = 0.012 * Math.max(a, b, c);
  const post = part(new THREE.CylinderGeometry(wide, wide, length, 10), STEEL);
  post.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize());
  post.position.copy(from).add(to).multiplyScalar(0.5);
  return post;
};

// Translucent and without a shadow, or as it was.
export const ghost = (object, on) =>
  object.traverse((one) => {
    const { material } = one;
    if (!material) return;
    material.userData.solid ??= { opacity: material.opacity, transparent: material.transparent, casts: one.castShadow };
    const { opacity, transparent, casts } = material.userData.solid;
    Object.assign(material, { opacity: on ? 0.35 * opacity : opacity, transparent: on || transparent });
    material.needsUpdate = true;
    one.castShadow = casts && !on;
  });
