// Unpack the library and the viewer from this page, name them for `import`, and start.
"use strict";
const unpack = async (id) => {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};
const address = async (id, edit = (code) => code) => {
  const code = edit(new TextDecoder().decode(await unpack(id)));
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
};
const say = (text, wrong = true) => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("wrong", wrong);
};
window.addEventListener("error", (event) => say(event.message));
window.addEventListener("unhandledrejection", (event) => say(String(event.reason)));
addEventListener("DOMContentLoaded", async () => {
  const core = await address("library-core");
  const imports = {
    three: await address("library-module", (code) => code.replaceAll("./three.core.min.js", core)),
    controls: await address("library-controls"),
  };
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  window.run = JSON.parse(document.getElementById("head").textContent);
  window.run.numbers = new Float32Array(await unpack("numbers"));
  await import(await address("viewer"));
});
