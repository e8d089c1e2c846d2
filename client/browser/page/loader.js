// Fetches the program, and starts it in a worker only if each file is the one that the link stands for.
//
// The link ends in #DIGITS. They stand for files.json, which names the SHA-256 of each file, and for the host's key. As
// long as a game is unfinished here, only the program that began it is started: another one could read what the seat
// keeps secret. A reload starts the program that this tab has already checked (`started.js`).

import { hasUnfinished } from "./database.js";
import { isOfAnother, keep } from "./kept.js";
import { Sha256 } from "./sha256.js";
import { findStarted, newMark } from "./started.js";

const LIST = "files.json";
const HOST = "host"; // its key
const LINK = /^#([0-9a-f]{22})$/;
const PINNED = "kimberley.program";
const AT_ONCE = 2; // a host allows 8 connections, and browsers keep 6 others for the page itself

// Says that the program was not started. The player reads its message.
export class Refused extends Error {}

// Returns {worker, digits}. The worker waits for a message of the kind "start". `progress(done, total)` is called with
// numbers of bytes.
export async function load(address, progress) {
  const link = LINK.exec(address.hash);
  if (link === null) throw new Refused("This link is incomplete. Scan the code on the host’s screen again.");
  const [, digits] = link;
  const list = (await fetched(LIST, "no-store")).data;
  const hash = new Sha256().update(list).digest();
  const key = new TextDecoder().decode((await fetched(HOST, "no-store")).data);
  const both = new Sha256().update(bytesOf(hash)).update(bytesOf(key)).digest();
  if (!both.startsWith(digits)) {
    throw new Refused(
      "This is not the program or host that the link points to, so nothing was started. Ask your host " +
        "whether the program has changed, then scan the code on the host’s screen again.",
    );
  }
  const pinned = localStorage.getItem(PINNED);
  if (pinned !== null && pinned !== hash && (await hasUnfinished())) {
    throw new Refused(
      "You have an unfinished game here, and this is not the program that began it. This program was not " +
        "started, because it could read your secrets. To abandon that game, delete this site’s data.",
    );
  }
  const known = JSON.parse(new TextDecoder().decode(list));
  const started = (await isOfAnother(digits)) ? undefined : await findStarted(hash);
  const files = started?.files ?? (await fetchFiles(digits, known, progress, address));
  progress(1, 1);
  localStorage.setItem(PINNED, hash);
  const script = URL.createObjectURL(new Blob([files.get("worker.js")], { type: "text/javascript" }));
  const worker = new Worker(script, { type: "module" });
  const mark = started?.mark ?? newMark(hash);
  // Nothing else uses what has been read from the database, so it need not be copied.
  const moved = started ? [started.memory, ...files.values()].map(({ buffer }) => buffer) : [];
  worker.postMessage({ kind: "load", files, started, mark, hostKey: key, site: address.origin }, [...new Set(moved)]);
  return { worker, digits };
}

// Fetches and checks all files. Returns their bytes by name.
async function fetchFiles(digits, known, progress, address) {
  const files = await checked(known, progress);
  if (await isOfAnother(digits)) {
    await keep(digits, files, known);
    address.reload();
    await new Promise(() => {}); // until this page is gone
  }
  keep(digits, files, known);
  return new Map([...files].map(([name, file]) => [name, file.data]));
}

// Returns all files by name, as `fetched` returns them, if each has its known SHA-256.
async function checked(known, progress) {
  const total = Object.values(known).reduce((sum, file) => sum + file.size, 0);
  const left = Object.entries(known);
  const files = new Map();
  let done = 0;
  const fetchSome = async () => {
    while (left.length) {
      const [name, file] = left.shift();
      files.set(name, await whole(name, file.sha256));
      done += file.size;
      progress(done, total);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
  return files;
}

// A file with this SHA-256. Throws Refused if the host has another one.
async function whole(name, sha256) {
  for (const cache of ["default", "reload"]) {
    const found = await fetched(name, cache, sha256);
    if (new Sha256().update(found.data).digest() === sha256) return found;
  }
  throw new Refused(`${name} is not the file that the link points to, so nothing was started.`);
}

// Returns the bytes of a file and its headers. Without credentials, no answer can delete what is stored here.
async function fetched(name, cache, sha256 = "") {
  let answer;
  try {
    answer = await fetch(`/play/${name}${sha256 && `?${sha256.slice(0, 16)}`}`, { cache, credentials: "omit" });
    if (answer.ok) return { data: new Uint8Array(await answer.arrayBuffer()), headers: answer.headers };
  } catch {
    answer = undefined;
  }
  throw new Refused(
    answer === undefined
      ? "The host does not answer. Are you still on its network?"
      : `The host no longer has ${name}. Scan the code on its screen again.`,
  );
}

function bytesOf(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
