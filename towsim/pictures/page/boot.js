// Unpack the numbers and the bundle from this page, and start the viewer.
const unpack = async (id) => {
  const text = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};
const say = (text) => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("wrong");
};
window.addEventListener("error", (event) => say(event.message));
window.addEventListener("unhandledrejection", (event) => say(event.reason?.message ?? String(event.reason)));
addEventListener("DOMContentLoaded", async () => {
  const head = JSON.parse(document.getElementById("head").textContent);
  window.page = { head, numbers: new Uint8Array(await unpack("numbers")) };
  await import(URL.createObjectURL(new Blob([await unpack("bundle")], { type: "text/javascript" })));
});
