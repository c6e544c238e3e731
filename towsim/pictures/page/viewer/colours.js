// Colours: of wires and bodies (colour-blind safe for the first eight), of tensions, and of light and dark pages.
const dark = matchMedia("(prefers-color-scheme: dark)");
export const onTheme = (act) => dark.addEventListener("change", act);

// The same hues for light and dark pages, as light or dark as the page needs.
const LINES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5ab5", "#7d7d7d"],
  dark: ["#3f9cf0", "#f47f34", "#2dc79b", "#e79cc4", "#f2c14b", "#9fdcff", "#ad92ee", "#b4b4b4"],
};
export const colourOf = (i, n) => {
  const few = dark.matches ? LINES.dark : LINES.light;
  if (n <= few.length) return few[i];
  return `hsl(${Math.round((i * 137.5) % 360)} 62% ${dark.matches ? 62 : 48}%)`;
};

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

// Of events, what matters more first.
const KINDS = {
  jerk: ["#d7263d", "#ff5d6c"],
  break: ["#8e24aa", "#d47fe8"],
  failure: ["#e65100", "#ff8a50"],
  infeasible: ["#000000", "#ffffff"],
  contact: ["#2e7d32", "#7bc67e"],
  impact: ["#f9a825", "#ffd95a"],
  lift: ["#00897b", "#4fd1c1"],
  stick: ["#6d4c41", "#b08d80"],
  slip: ["#a1887f", "#d7bfb5"],
  user: ["#3949ab", "#8c9df0"],
  taut: ["#1e88e5", "#64b5f6"],
  slack: ["#9e9e9e", "#bdbdbd"],
};
export const WEIGHT = Object.keys(KINDS);
export const kindColour = (kind) => KINDS[kind][dark.matches ? 1 : 0];

const NAMES = ["ink", "soft", "line", "panel", "land", "water", "frame", "x", "y", "z"]; // as in style.css
export const theme = () => {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
};
