// The shape of a slack wire: the catenary of its length between its ends (Irvine, Cable Structures, 1981).
const PIECES = 48;

// h across, v up: sqrt(L² − v²) = 2 a sinh(h / 2a); with x = h / 2a, sinh(x)/x = r is solved by Newton's method.
const openness = (r) => {
  let x = r < 3 ? Math.sqrt(6 * (r - 1)) : Math.log(2 * r) + Math.log(Math.log(2 * r));
  for (let n = 0; n < 30; n++) {
    const step = (Math.sinh(x) - r * x) / (Math.cosh(x) - r);
    x -= step;
    if (Math.abs(step) < 1e-12 * x) break;
  }
  return x;
};

// Points [x, y, z, ...] of a wire of a length between a and b (3), `up` against gravity.
export const hang = (a, b, length, up) => {
  const span = [0, 1, 2].map((j) => b[j] - a[j]);
  const v = span.reduce((sum, s, j) => sum + s * up[j], 0);
  const across = span.map((s, j) => s - v * up[j]);
  const h = Math.hypot(...across);
  const distance = Math.hypot(h, v);
  if (!(length > distance * (1 + 1e-9))) return [...a, ...b];
  const point = (x, y) => [0, 1, 2].map((j) => a[j] + (h > 0 ? (across[j] / h) * x : 0) + up[j] * y);
  if (h < 1e-4 * length) {
    const lowest = 0.5 * (v - length); // it hangs down and comes up again
    const out = [];
    for (let i = 0; i <= PIECES; i++) {
      const s = (length * i) / PIECES;
      out.push(...point((h * i) / PIECES, s < -lowest ? -s : lowest + (s + lowest)));
    }
    return out;
  }
  const x = openness(Math.sqrt(length * length - v * v) / h);
  const size = h / (2 * x);
  const low = h / 2 - size * Math.asinh(v / (2 * size * Math.sinh(x)));
  const from = Math.sinh(-low / size),
    to = Math.sinh((h - low) / size);
  const out = [];
  for (let i = 0; i <= PIECES; i++) {
    const arc = from + ((to - from) * i) / PIECES;
    out.push(...point(low + size * Math.asinh(arc), size * (Math.sqrt(1 + arc * arc) - Math.cosh(low / size))));
  }
  return out;
};
