// Writes bundle.js: the viewer and what it uses of three.js, with the licence of the library at its head.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const licence = readFileSync("node_modules/three/LICENSE", "utf8");
await build({
  entryPoints: ["viewer/main.js"],
  outfile: "bundle.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  banner: { js: `/*! This file contains parts of three.js (threejs.org).\n\n${licence}*/` },
  legalComments: "none", // the same notice, shorter
  logLevel: "warning",
});
