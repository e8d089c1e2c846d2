// Runs the program in Pyodide. Everything comes from the files that the loader has checked: nothing is fetched.

let files;

const modules = new Map();

function script(name) {
  if (!modules.has(name)) {
    const url = URL.createObjectURL(new Blob([files.get(name)], { type: "text/javascript" }));
    modules.set(name, import(url));
  }
  return modules.get(name);
}

// In place of the network, for Pyodide.
async function fetchChecked(address) {
  const name = new URL(address).pathname.split("/").pop();
  if (!files.has(name)) throw new TypeError(`${name} is not one of the files that were checked`);
  return new Response(files.get(name), { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "" } });
}

function post(message) {
  const sent = plain(message);
  const moved = Object.values(sent).filter((value) => value instanceof Uint8Array);
  self.postMessage(sent, moved.map((bytes) => bytes.buffer));
}

// A value of Python as one of JavaScript.
function plain(value) {
  return value?.toJs?.({ dict_converter: Object.fromEntries }) ?? value;
}

// What the program needs of JavaScript: `client.browser.page_port` says the same in Python.
async function page(loaded) {
  const [{ default: openSodium }, { openDatabase }] = await Promise.all([
    script("libsodium-sumo.mjs"),
    script("database.js"),
  ]);
  const database = await openDatabase();
  return {
    // An IPv6 address stands in brackets there.
    host: new URL(loaded.site).hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(new URL(loaded.site).port || 80),
    host_key: loaded.hostKey,
    sodium: await openSodium(),
    post,
    listen: (heard) => {
      const kept = heard.copy();
      self.onmessage = ({ data }) => kept(data);
      for (const data of early.splice(0)) kept(data);
    },
    read: () => database.read(),
    write: (changes) => database.write(plain(changes)),
    open_socket: (address, opened, heard, closed) => {
      const [whenOpened, whenHeard, whenClosed] = [opened.copy(), heard.copy(), closed.copy()];
      const socket = new WebSocket(address);
      socket.binaryType = "arraybuffer";
      socket.onopen = () => whenOpened();
      socket.onmessage = ({ data }) => whenHeard(new Uint8Array(typeof data === "string" ? 0 : data));
      socket.onclose = ({ reason }) => {
        whenClosed(reason);
        for (const kept of [whenOpened, whenHeard, whenClosed]) kept.destroy();
      };
      return {
        send: (message) => socket.send(plain(message)),
        close: () => socket.close(),
        unsent: () => socket.bufferedAmount,
      };
    },
  };
}

async function start(loaded) {
  files = loaded.files;
  globalThis.fetch = fetchChecked;
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    script("pyodide.mjs"),
    script("pyodide.asm.mjs"),
  ]);
  const python = await loadPyodide({
    indexURL: "https://checked.invalid/",
    createPyodideModule,
  });
  python.unpackArchive(files.get("program.zip"), "zip", { extractDir: "/program" });
  python.registerJsModule("kimberley_page", await page(loaded));
  await python.runPythonAsync(`
import sys
sys.path.insert(0, "/program")
import kimberley_page
from kimberley.client.browser.start import start
await start(kimberley_page)
`);
}

// Of an error of Python: what is wrong, without the way there.
function lastLine(text) {
  return text.trim().split("\n").pop();
}

// What the page says before the program listens.
const early = [];

self.onmessage = ({ data }) => {
  self.onmessage = (later) => early.push(later.data);
  start(data).catch((error) => self.postMessage({ kind: "failed", text: lastLine(String(error.message ?? error)) }));
};
