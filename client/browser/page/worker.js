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

// Replaces `fetch` for Pyodide.
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

// Converts a value of Python to one of JavaScript.
function plain(value) {
  return value?.toJs?.({ dict_converter: Object.fromEntries }) ?? value;
}

// What the program needs from JavaScript. `client.browser.javascript` is the Python side.
async function page(loaded) {
  const [{ default: openSodium }, { openDatabase }] = await Promise.all([
    script("libsodium-sumo.mjs"),
    script("database.js"),
  ]);
  const database = await openDatabase();
  return {
    // In a URL, an IPv6 address is in brackets.
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

// What every seat imports in its first seconds. It is the same for all, and none of it is secret. No file stays open:
// after a reload its number would belong to another file, such as a journal, and Python would close that one.
const IMPORTS = `
import sys
sys.path.insert(0, "/program")
import gc, importlib.metadata, email.parser
import confusable_homoglyphs.confusables
import kimberley.client.boards.game_screen
import kimberley.client.browser.start
import kimberley.client.screens.banner, kimberley.client.screens.chat, kimberley.client.screens.copy_for_friend
import kimberley.client.screens.guide_offer, kimberley.client.screens.lobby, kimberley.client.screens.setup
import kimberley.client.screens.table_flow, kimberley.client.screens.tournament_flow, kimberley.client.screens.waiting
import kimberley.client.session.unfinished_games, kimberley.client.ui.qr_code
import kimberley.p2p.table.table
from kimberley.games import lookup
for each in lookup.ids(): lookup.find(each)
importlib.metadata.MetadataPathFinder().invalidate_caches()
gc.collect()
`;
// In the memory that is kept, only the generator of `random` has a state. All others ask the system each time.
const NEW_CHANCE = "import random; random.seed()";
const KEPT_AFTER = 3000; // milliseconds: by then the program shows something and waits
const PROGRAM = "/program";

async function openPython(options, prepare = (settings) => settings) {
  const [{ loadPyodide }, { default: createModule }] = await Promise.all([
    script("pyodide.mjs"),
    script("pyodide.asm.mjs"),
  ]);
  const createPyodideModule = (settings) => createModule(prepare(settings));
  return loadPyodide({ indexURL: "https://checked.invalid/", createPyodideModule, ...options });
}

// Starts Python with the program imported, and keeps both for a reload.
async function startNew({ mark }) {
  const python = await openPython({ _makeSnapshot: true });
  python.unpackArchive(files.get("program.zip"), "zip", { extractDir: PROGRAM });
  python.runPython(IMPORTS);
  const memory = python.makeMemorySnapshot();
  setTimeout(async () => {
    const { keepStarted } = await script("started.js");
    await keepStarted(mark, { files, memory, program: treeOf(python.FS, PROGRAM) });
  }, KEPT_AFTER);
  return python;
}

// Starts Python as it was when it was kept, before it knew anything of a seat.
async function startAgain({ memory, program }) {
  const python = await openPython({ _loadSnapshot: memory }, (settings) => {
    // Its memory has to be this large before it is filled.
    const { instantiateWasm } = settings;
    settings.instantiateWasm = (imports, receive) =>
      instantiateWasm(imports, (instance, module) => {
        const missing = memory.length - instance.exports.memory.buffer.byteLength;
        if (missing > 0) instance.exports.memory.grow(Math.ceil(missing / 65536));
        receive(instance, module);
      });
    return settings;
  });
  for (const [path, bytes] of program) {
    if (bytes === null) python.FS.mkdir(path);
    else python.FS.writeFile(path, bytes);
  }
  python.runPython(NEW_CHANCE);
  return python;
}

// [path, bytes] of all files in a folder, and [path, null] of folders, each before what is in it.
function treeOf(system, folder) {
  const found = [[folder, null]];
  for (const name of system.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (system.isDir(system.stat(path).mode)) found.push(...treeOf(system, path));
    else found.push([path, system.readFile(path)]);
  }
  return found;
}

async function start(loaded) {
  files = loaded.files;
  globalThis.fetch = fetchChecked;
  const python = loaded.started ? await startAgain(loaded.started).catch(() => startNew(loaded)) : await startNew(loaded);
  python.registerJsModule("kimberley_page", await page(loaded));
  await python.runPythonAsync(`
import kimberley_page
from kimberley.client.browser.start import start
await start(kimberley_page)
`);
}

// Returns what a Python error says is wrong, without the traceback.
function lastLine(text) {
  return text.trim().split("\n").pop();
}

// Messages that the page sends before the program listens.
const early = [];

self.onmessage = ({ data }) => {
  self.onmessage = (later) => early.push(later.data);
  start(data).catch((error) => self.postMessage({ kind: "failed", text: lastLine(String(error.message ?? error)) }));
};
