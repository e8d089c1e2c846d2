// Keys by the names that the program gives them, from a keyboard and from the keyboard of a phone.

const NAMES = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", Escape: "esc", Tab: "tab",
  Backspace: "backspace", Delete: "delete", Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown",
};
// Left to the browser: reloading, full screen and its tools.
const FUNCTIONS = /^F([1-9]|10)$/;
const CONTROL = /^[acdeuwl]$/;

// The program's name for a key, or "" for one that belongs to the browser.
export function nameOf({ key, ctrlKey, altKey, metaKey, shiftKey }) {
  if (metaKey || altKey) return "";
  if (ctrlKey) return CONTROL.test(key) ? `c-${key}` : "";
  if (key === "Tab" && shiftKey) return "s-tab";
  if (FUNCTIONS.test(key)) return key.toLowerCase();
  return NAMES[key] ?? ([...key].length === 1 ? key : "");
}

// Reads what is typed into a hidden field: keyboards of phones name no keys, so what has changed in the field says them.
export class TypedText {
  #field;
  #before = "";

  // `send` is called with the names of keys.
  constructor(field, send) {
    this.#field = field;
    field.addEventListener("input", () => {
      const after = field.value;
      let kept = 0;
      while (kept < after.length && after[kept] === this.#before[kept]) kept++;
      for (let gone = this.#before.length; gone > kept; gone--) send("backspace");
      for (const character of after.slice(kept)) send(character);
      if (after.length === 0) this.clear();
      else this.#before = after;
    });
    this.clear();
  }

  // A space stays in front, so that there is always something to take back.
  clear() {
    this.#field.value = " ";
    this.#before = " ";
  }
}
