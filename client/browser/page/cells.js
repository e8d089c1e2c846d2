// Paints the cells of the program's frames, crisp at any pixel density and magnification.

import { gridFor } from "./grid.js";
import { painterOf } from "./glyphs.js";

const FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Roboto Mono", monospace';
// The bits that `client/browser/page_window.py` sets.
const CLUSTER = 0x80000000;
const BOLD = 0x1000000;
const UNDERLINE = 0x2000000;
const COLOR = 0xffffff;
const NUMBERS = 3;
const NEAREST = 4;
// A cell is this many times as wide as its lines.
const LINES = 8;
// The letters of a font that is too narrow for the cells are widened by up to this factor.
const WIDEST = 1.15;
// Makes text of a mark that some systems would paint as a colored picture.
const AS_TEXT = "\ufe0e";

export class Cells {
  #canvas;
  #context;
  #frame = { columns: 0, rows: 0, cells: [], clusters: [] };
  #stale = new Set();
  #size = { width: 0, height: 0, density: 1 };
  #metrics = new Map();

  // `touch` says whether the page is used by touch.
  constructor(canvas, touch) {
    this.#canvas = canvas;
    this.touch = touch;
    this.#context = canvas.getContext("2d", { alpha: false });
    this.grid = gridFor(1, 1, touch);
    this.near = { scale: 1, x: 0, y: 0 };
  }

  // Fits the grid to the size of the canvas on the page. Returns whether the program has to draw for another grid.
  fit() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const density = globalThis.devicePixelRatio || 1;
    this.#size = { width, height, density };
    this.#canvas.width = Math.round(width * density);
    this.#canvas.height = Math.round(height * density);
    const before = this.grid;
    this.grid = gridFor(width, height, this.touch);
    this.look(1, 0, 0);
    return before.columns !== this.grid.columns || before.rows !== this.grid.rows;
  }

  // Takes the rows of a frame that have changed.
  take({ columns, rows, changed, cells, clusters }) {
    if (columns !== this.#frame.columns || rows !== this.#frame.rows) {
      this.#frame = { columns, rows, cells: Array.from({ length: rows }, () => null), clusters: [] };
      this.#staleAll();
    }
    const numbers = new Uint32Array(cells.slice().buffer);
    const length = NUMBERS * columns;
    changed.forEach((y, number) => {
      this.#frame.cells[y] = numbers.subarray(number * length, (number + 1) * length);
      this.#frame.clusters[y] = clusters;
      this.#stale.add(y);
    });
  }

  // Zooms or pans: magnifies `scale` times, with the point (x, y) of the cell grid at the top left of the page.
  look(scale, x, y) {
    const [whole, high] = [this.grid.columns * this.grid.width, this.grid.rows * this.grid.height];
    const near = Math.min(NEAREST, Math.max(1, scale));
    this.near = {
      scale: near,
      x: Math.min(Math.max(0, x), Math.max(0, whole - this.#size.width / near)),
      y: Math.min(Math.max(0, y), Math.max(0, high - this.#size.height / near)),
    };
    this.#staleAll();
  }

  // Whether a drag moves what is shown, since not all of it fits.
  get pans() {
    return this.near.scale > 1 || this.grid.rows * this.grid.height > this.#size.height + 1;
  }

  // Returns the cell at a point of the canvas, in pixels of the page.
  cellAt(x, y) {
    const { scale, x: left, y: top } = this.near;
    return {
      x: Math.min(this.grid.columns - 1, Math.max(0, Math.floor((x / scale + left) / this.grid.width))),
      y: Math.min(this.grid.rows - 1, Math.max(0, Math.floor((y / scale + top) / this.grid.height))),
    };
  }

  // Returns where a cell is on the canvas, in pixels of the page.
  placeOf(x, y) {
    const { scale, x: left, y: top } = this.near;
    return { x: (x * this.grid.width - left) * scale, y: (y * this.grid.height - top) * scale };
  }

  // The text of all rows, for players who cannot see the cells.
  get text() {
    return this.#frame.cells.map((_, y) => this.#textOf(y).trimEnd()).join("\n");
  }

  // The color of the cell at the top left, for the page around the cells.
  get ground() {
    return colorOf(this.#frame.cells[0]?.[2] ?? 0);
  }

  #textOf(y) {
    const row = this.#frame.cells[y] ?? [];
    let text = "";
    for (let at = 0; at < row.length; at += NUMBERS) text += this.#characterOf(row[at], y);
    return text;
  }

  // What a cell shows; the second cell of a wide character shows nothing.
  #characterOf(code, y) {
    if (code === 0) return "";
    return code >= CLUSTER ? this.#frame.clusters[y][code - CLUSTER] : String.fromCodePoint(code);
  }

  // The height of letters in pixels of the page.
  get letters() {
    return this.#font(this.grid.width, this.grid.height).size;
  }

  // Paints what has changed since the last call.
  paint() {
    const stale = [...this.#stale].sort((a, b) => a - b);
    this.#stale.clear();
    for (const y of stale) this.#paintRow(y);
  }

  #staleAll() {
    for (let y = 0; y < this.#frame.rows; y++) this.#stale.add(y);
  }

  #paintRow(y) {
    const row = this.#frame.cells[y];
    if (!row) return;
    const { density } = this.#size;
    const { scale, x: left, y: top } = this.near;
    const { width, height } = this.grid;
    const pixelX = (column) => Math.round((column * width - left) * scale * density);
    const pixelY = (line) => Math.round((line * height - top) * scale * density);
    const [above, below] = [pixelY(y), pixelY(y + 1)];
    if (below <= 0 || above >= this.#canvas.height) return;
    this.#paintGround(row, pixelX, above, below - above);
    const font = this.#font(width * scale * density, height * scale * density);
    for (let x = 0; x < this.#frame.columns; x++) {
      const code = row[NUMBERS * x];
      const marks = row[NUMBERS * x + 1];
      if (code === 0 || (code === 32 && !(marks & UNDERLINE))) continue;
      const cells = row[NUMBERS * (x + 1)] === 0 ? 2 : 1;
      const [begin, end] = [pixelX(x), pixelX(x + cells)];
      if (end <= 0 || begin >= this.#canvas.width) continue;
      this.#paintCell(this.#characterOf(code, y), marks, { x: begin, y: above, width: end - begin, height: below - above }, font);
    }
  }

  #paintGround(row, pixelX, above, high) {
    const context = this.#context;
    const { columns } = this.#frame;
    for (let x = 0; x < columns; ) {
      const color = row[NUMBERS * x + 2];
      const begin = x;
      while (x < columns && row[NUMBERS * x + 2] === color) x++;
      context.fillStyle = colorOf(color);
      context.fillRect(pixelX(begin), above, pixelX(x) - pixelX(begin), high);
    }
  }

  #paintCell(text, marks, { x, y, width, height }, font) {
    const context = this.#context;
    context.fillStyle = colorOf(marks & COLOR);
    if (marks & UNDERLINE) {
      const thick = Math.max(1, Math.round(height / 16));
      context.fillRect(x, y + height - 2 * thick, width, thick);
    }
    const paint = painterOf(text);
    if (paint) {
      paint(context, x, y, width, height, font.stroke);
      return;
    }
    context.font = `${marks & BOLD ? "bold " : ""}${font.size}px ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    const code = text.codePointAt(0);
    const shown = code >= 0x2190 && code < 0x2c00 ? text + AS_TEXT : text;
    context.setTransform(font.widened, 0, 0, 1, x + width / 2, y + (height - font.high) / 2 + font.ascent);
    context.fillText(shown, 0, 0, width / font.widened);
    context.resetTransform();
  }

  // Measures the font at the largest size at which its letters fit in cells of this size.
  #font(width, height) {
    const key = `${width} ${height}`;
    let found = this.#metrics.get(key);
    if (!found) {
      this.#context.font = `100px ${FONT}`;
      const letter = this.#context.measureText("M");
      const high = (letter.fontBoundingBoxAscent + letter.fontBoundingBoxDescent) / 100;
      const size = Math.min((width / letter.width) * 100, height / high);
      found = {
        size, high: high * size, ascent: (letter.fontBoundingBoxAscent * size) / 100,
        stroke: Math.max(1, Math.round(width / LINES)),
        widened: Math.min(WIDEST, width / ((letter.width * size) / 100)),
      };
      this.#metrics.set(key, found);
    }
    return found;
  }
}

const COLORS = new Map();

function colorOf(number) {
  let color = COLORS.get(number);
  if (!color) {
    color = `#${number.toString(16).padStart(6, "0")}`;
    COLORS.set(number, color);
  }
  return color;
}
