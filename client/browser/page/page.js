// The page of a seat: it loads the program, shows its frames, and tells it what the player does.

import { Cells } from "./cells.js";
import { TypedText, latinOf, nameOf } from "./keys.js";
import { load } from "./loader.js";
import { Touches } from "./touch.js";

const NAME = "kimberley.name";
const DRAFT = "kimberley.draft";
const SAID = 60;
const STARTING = "Starting the program. This takes a few seconds.";
const READY = "Type your name to join.";
const LEFT =
  "You left the table. Your game and records are saved in this browser. You can open them while the host shares this page.";
const GONE = "The host does not answer. You can open your game and records again once the host shares this page.";
const GONE_MILLISECONDS = 5000;
const NOTE_MILLISECONDS = 3000;
const READ_MILLISECONDS = 150;
const BUZZ_MILLISECONDS = 200;

const part = (id) => document.getElementById(id);
const canvas = part("cells");
const cells = new Cells(canvas, matchMedia("(pointer: coarse)").matches);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let worker = null;
let painting = false;
let reading = 0;
let unshown = false;
let caret = null;

const send = (message) => worker?.postMessage(message);
const press = (name, latin = "") => send({ kind: "key", name, latin });

// -- before and after the game ----------------------------------------------------------------------------------------

function progress(done, total) {
  part("share").value = total ? done / total : 0;
  if (done >= total) part("state").textContent = part("who").hidden ? STARTING : READY;
}

function showProgram({ digits }) {
  part("digits").textContent = digits;
  part("program").hidden = false;
}

// The person's name, asked for once.
function askName() {
  const known = localStorage.getItem(NAME);
  if (known) return known;
  part("who").hidden = false;
  return new Promise((named) => {
    part("who").addEventListener("submit", (event) => {
      event.preventDefault();
      part("who").hidden = true;
      if (part("state").textContent === READY) part("state").textContent = STARTING;
      localStorage.setItem(NAME, part("name").value);
      named(part("name").value);
    });
  });
}

function stop(text, failed) {
  canvas.hidden = true;
  part("loading").hidden = false;
  part("share").hidden = part("who").hidden = true;
  part("again").hidden = false;
  part("state").textContent = text;
  part("state").classList.toggle("failed", failed);
  part("state").setAttribute("role", failed ? "alert" : "status");
}

async function loadAgain() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(GONE_MILLISECONDS) });
  } catch {
    stop(GONE, true);
    return;
  }
  location.reload();
}

// -- frames -----------------------------------------------------------------------------------------------------------

function paintSoon() {
  if (painting) return;
  painting = true;
  requestAnimationFrame(() => {
    painting = false;
    cells.paint();
    if (unshown) {
      unshown = false;
      send({ kind: "shown" });
    }
  });
}

// Makes what is shown available as text: not at each frame of an animation, but soon after it.
function readSoon() {
  reading ||= setTimeout(() => {
    reading = 0;
    part("shown").textContent = cells.text;
    document.body.style.background = cells.ground;
  }, READ_MILLISECONDS);
}

function showFrame(frame) {
  if (canvas.hidden) {
    part("loading").hidden = true;
    canvas.hidden = false;
    canvas.focus({ preventScroll: true });
    fit();
  }
  cells.take(frame);
  unshown = true;
  paintSoon();
  readSoon();
}

function fit() {
  if (canvas.hidden) return;
  if (cells.fit()) send({ kind: "size", columns: cells.grid.columns, rows: cells.grid.rows });
  canvas.dataset.grid = `${cells.grid.columns}x${cells.grid.rows}`;
  canvas.dataset.letters = cells.letters.toFixed(2);
  paintSoon();
}

// -- what the program says --------------------------------------------------------------------------------------------

function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  part("said").append(line);
  while (part("said").childElementCount > SAID) part("said").firstElementChild.remove();
}

function note(text) {
  part("note").textContent = text;
  part("note").hidden = false;
  setTimeout(() => {
    part("note").hidden = true;
  }, NOTE_MILLISECONDS);
}

function alert({ on, text }) {
  document.title = on ? "◆ your move · Kimberley" : "Kimberley";
  if (!on) return;
  say(text);
  navigator.vibrate?.(BUZZ_MILLISECONDS);
}

// Pages loaded over plain HTTP have no other clipboard.
function copy(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  if (!document.execCommand("copy")) note(text);
  area.remove();
  canvas.focus({ preventScroll: true });
}

function download({ name, bytes }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function setCaret({ on, x, y }) {
  caret = on ? { x, y } : null;
  if (!on) {
    if (document.activeElement === part("text")) canvas.focus({ preventScroll: true });
    return;
  }
  const place = cells.placeOf(x, y);
  part("text").style.top = `${Math.max(0, place.y)}px`;
  part("text").style.left = `${Math.max(0, place.x)}px`;
  // Without a touch screen, there is a keyboard. A phone shows its keyboard only after a touch: see `tapped`.
  if (!cells.touch) part("text").focus({ preventScroll: true });
}

const HEARD = {
  frame: showFrame,
  say: ({ text }) => say(text),
  alert,
  draft: ({ text }) => sessionStorage.setItem(DRAFT, text),
  copy: ({ text }) => copy(text),
  download,
  typing: setCaret,
  failed: ({ text }) => stop(text, true),
  closed: () => stop(LEFT, false),
};

// -- what the player does ---------------------------------------------------------------------------------------------

new Touches(canvas, cells, {
  send,
  moved: paintSoon,
  tapped: () => part(caret ? "text" : "cells").focus({ preventScroll: true }),
});

const typed = new TypedText(part("text"), press);

canvas.addEventListener("keydown", (event) => {
  const name = nameOf(event);
  if (name) {
    event.preventDefault();
    press(name, latinOf(event));
  }
});

part("text").addEventListener("keydown", (event) => {
  const name = nameOf(event);
  // Characters and Backspace are read from what they change in the field: see `TypedText`.
  if (event.isComposing || name.length < 2 || name === "backspace") return;
  event.preventDefault();
  typed.clear();
  press(name);
});

for (const field of [canvas, part("text")]) {
  field.addEventListener("paste", (event) => {
    event.preventDefault();
    send({ kind: "paste", text: event.clipboardData.getData("text") });
  });
}

part("line").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ kind: "line", text: part("typed").value });
  part("typed").value = "";
});

part("again").addEventListener("click", loadAgain);
addEventListener("hashchange", () => location.reload()); // another link, opened in this tab
document.addEventListener("visibilitychange", () => send({ kind: "visible", on: !document.hidden }));
new ResizeObserver(fit).observe(canvas);

// -- the start --------------------------------------------------------------------------------------------------------

async function fetchProgram() {
  const seat = await load(location, progress);
  showProgram(seat);
  return seat;
}

async function start() {
  const [name, seat] = await Promise.all([askName(), fetchProgram()]);
  worker = seat.worker;
  worker.onmessage = ({ data }) => HEARD[data.kind]?.(data);
  worker.onerror = (event) => stop(`The program crashed: ${event.message ?? "it could not be started"}.`, true);
  canvas.hidden = false;
  cells.fit();
  canvas.hidden = true;
  send({
    kind: "start", columns: cells.grid.columns, rows: cells.grid.rows, touch: cells.touch, still: calm.matches,
    name, draft: sessionStorage.getItem(DRAFT) ?? "",
  });
}

start().catch((error) => stop(error.message, true));
