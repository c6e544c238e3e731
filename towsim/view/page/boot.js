// Unpack the numbers and the bundle from this page, and start the viewer.
const unpack = async (id) => {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};
const say = (text) => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("wrong");
};
window.addEventListener("error", (event) => say(event.message));
window.addEventListener("unhandledrejection", (event) => say(String(event.reason)));
addEventListener("DOMContentLoaded", async () => {
  window.run = JSON.parse(document.getElementById("head").textContent);
  window.run.numbers = new Float32Array(await unpack("numbers"));
  await import(URL.createObjectURL(new Blob([await unpack("bundle")], { type: "text/javascript" })));
});
