// Colours: of wires and bodies (colour-blind safe for the first eight), of tensions, and of light and dark pages.
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5ab5", "#7d7d7d"];
export const colourOf = (i, n) => (n <= LINES.length ? LINES[i] : `hsl(${Math.round((i * 137.5) % 360)} 62% 48%)`);

const RAMP = [
  [0, 0x21, 0x66, 0xac],
  [0.35, 0x35, 0x97, 0x8f],
  [0.6, 0xe6, 0xa8, 0x17],
  [1, 0xc5, 0x1b, 0x1b],
];
const mixed = (share) => {
  const x = Math.min(1, Math.max(0, share));
  const i = Math.max(
    1,
    RAMP.findIndex(([end]) => x <= end),
  );
  const [a, ...from] = RAMP[i - 1],
    [b, ...to] = RAMP[i];
  return from.map((v, j) => Math.round(v + ((to[j] - v) * (x - a)) / (b - a)));
};
export const ramp = (share) => `rgb(${mixed(share)})`;
// The same as bytes r, g, b, a of 256 shares.
export const RAMP_BYTES = new Uint8ClampedArray(1024).fill(255);
for (let i = 0; i < 256; i++) RAMP_BYTES.set(mixed(i / 255), 4 * i);
export const RAMP_CSS = `linear-gradient(90deg,${RAMP.map(([x]) => `${ramp(x)} ${100 * x}%`).join(",")})`;

export const KINDS = {
  jerk: "#d7263d",
  break: "#8e24aa",
  failure: "#e65100",
  infeasible: "#000000",
  contact: "#2e7d32",
  lift: "#00897b",
  stick: "#6d4c41",
  slip: "#a1887f",
  user: "#3949ab",
  taut: "#1e88e5",
  slack: "#9e9e9e",
};

const dark = matchMedia("(prefers-color-scheme: dark)");
export const theme = () => {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: get("ink"),
    soft: get("soft"),
    line: get("line"),
    panel: get("panel"),
    land: get("land"),
    water: get("water"),
  };
};
export const onTheme = (act) => dark.addEventListener("change", act);
