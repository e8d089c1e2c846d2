// Touches, the mouse and the wheel on the cells.
//
// A touch is a click, and a long one a right click. One finger scrolls, or moves what is shown once two fingers have
// zoomed in. The mouse works as usual.

const LONG = 500;
const STILL = 10;
const BUTTONS = ["left", "middle", "right"];
const NOTCH = 100;

export class Touches {
  #cells;
  #fingers = new Map();
  #start = null;
  #timer = 0;
  #rolled = 0;
  #pinch = null;

  // `send` is called with messages for the program, `moved` when the cells have to be painted, and `tapped` after a
  // click or a touch, to do what a browser allows only then, such as showing the keyboard.
  constructor(canvas, cells, { send, moved, tapped }) {
    this.#cells = cells;
    this.send = send;
    this.moved = moved;
    this.tapped = tapped;
    canvas.addEventListener("pointerdown", (event) => this.#down(event, canvas));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#lift(event));
    // After a touch, the browser also reports a mouse click, which would take the focus back.
    canvas.addEventListener("mousedown", (event) => event.preventDefault());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  #press(x, y, button) {
    this.send({ kind: "touch", ...this.#cells.cellAt(x, y), button });
  }

  #down(event, canvas) {
    const [x, y] = [event.offsetX, event.offsetY];
    if (event.pointerType === "mouse") {
      if (event.button < BUTTONS.length) this.#press(x, y, BUTTONS[event.button]);
      this.tapped();
      return;
    }
    canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, { x, y });
    clearTimeout(this.#timer);
    if (this.#fingers.size === 1) {
      this.#start = { x, y, dragged: false };
      this.#timer = setTimeout(() => {
        this.#start = null;
        this.#press(x, y, "right");
      }, LONG);
    } else {
      this.#start = null;
      this.#pinch = this.#spread();
    }
  }

  #move(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    const [x, y] = [event.offsetX, event.offsetY];
    const [dx, dy] = [x - finger.x, y - finger.y];
    if (this.#fingers.size === 1) {
      const start = this.#start;
      if (!start) return;
      if (!start.dragged && Math.hypot(x - start.x, y - start.y) < STILL) return;
      if (!start.dragged) {
        start.dragged = true;
        clearTimeout(this.#timer);
      }
      this.#drag(dx, dy, start);
    }
    this.#fingers.set(event.pointerId, { x, y });
    if (this.#fingers.size > 1) this.#lookCloser();
  }

  #drag(dx, dy, start) {
    const { scale, x, y } = this.#cells.near;
    if (this.#cells.pans) {
      this.#cells.look(scale, x - dx / scale, y - dy / scale);
      this.moved();
      return;
    }
    // The list follows the finger: dragging up scrolls down.
    this.#rolled -= dy / this.#cells.grid.height;
    const steps = Math.trunc(this.#rolled);
    this.#rolled -= steps;
    for (let step = 0; step < Math.abs(steps); step++) {
      this.send({ kind: "wheel", ...this.#cells.cellAt(start.x, start.y), steps: Math.sign(steps) });
    }
  }

  // How far apart two fingers are, and the point midway between them.
  #spread() {
    const [first, second] = this.#fingers.values();
    return {
      apart: Math.max(1, Math.hypot(first.x - second.x, first.y - second.y)),
      x: (first.x + second.x) / 2,
      y: (first.y + second.y) / 2,
    };
  }

  // What was between the fingers stays between them.
  #lookCloser() {
    const [before, now] = [this.#pinch, this.#spread()];
    const near = this.#cells.near;
    const scale = (near.scale * now.apart) / before.apart;
    this.#cells.look(scale, near.x + before.x / near.scale - now.x / scale, near.y + before.y / near.scale - now.y / scale);
    this.#pinch = now;
    this.moved();
  }

  #up(event) {
    const start = this.#start;
    this.#lift(event);
    if (event.pointerType === "mouse" || !start || start.dragged) return;
    this.#press(start.x, start.y, "left");
    this.tapped();
  }

  #lift(event) {
    clearTimeout(this.#timer);
    this.#fingers.delete(event.pointerId);
    this.#start = null;
    this.#rolled = 0;
  }

  #wheel(event) {
    event.preventDefault();
    this.#rolled += event.deltaMode === 0 ? event.deltaY / NOTCH : Math.sign(event.deltaY);
    const steps = Math.trunc(this.#rolled);
    if (steps === 0) return;
    this.#rolled -= steps;
    this.send({ kind: "wheel", ...this.#cells.cellAt(event.offsetX, event.offsetY), steps: Math.sign(steps) });
  }
}
