// Keys by the names that the program gives them, from a keyboard and from the keyboard of a phone.

const NAMES = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", Escape: "esc", Tab: "tab",
  Backspace: "backspace", Delete: "delete", Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown",
};
// Left to the browser: reloading, full screen and its tools.
const FUNCTIONS = /^F([1-9]|10)$/;
const CONTROL = /^[acdeuwl]$/;
const PUNCTUATION = {
  Backquote: "`", BracketLeft: "[", BracketRight: "]", Semicolon: ";", Quote: "'", Comma: ",", Period: ".", Slash: "/",
};

// The character that a key types on QWERTY, by its place, or "" for other keys and where the place is not known.
export function latinOf({ code = "" }) {
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : /^Digit\d$/.test(code) ? code.slice(5) : PUNCTUATION[code] ?? "";
}

// The program's name for a key, or "" for one that belongs to the browser.
export function nameOf(event) {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
  // With AltGr, which some systems report as Ctrl and Alt, a key types a character.
  const types = event.getModifierState?.("AltGraph") && [...key].length === 1;
  if (!types && (metaKey || altKey)) return "";
  if (!types && ctrlKey) {
    // Caps Lock changes nothing, nor does a keyboard of another script.
    const letter = shiftKey ? "" : /^[a-z]$/i.test(key) ? key.toLowerCase() : latinOf(event);
    return CONTROL.test(letter) ? `c-${letter}` : "";
  }
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
