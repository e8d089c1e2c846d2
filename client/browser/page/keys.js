// Translates the keys of a keyboard, or of a phone's on-screen keyboard, into the program's names for them.

const NAMES = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", Escape: "esc", Tab: "tab",
  Backspace: "backspace", Delete: "delete", Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown",
};
// The keys that the program takes. Others are left to the browser: for reloading, full screen and its tools.
const FUNCTIONS = /^F([1-9]|10)$/;
const CONTROL = /^[acdeuwl]$/;
const PUNCTUATION = {
  Backquote: "`", BracketLeft: "[", BracketRight: "]", Semicolon: ";", Quote: "'", Comma: ",", Period: ".", Slash: "/",
};

// Returns the character that the key in the same place types on QWERTY, or "" if there is none or the place is unknown.
export function latinOf({ code = "" }) {
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : /^Digit\d$/.test(code) ? code.slice(5) : PUNCTUATION[code] ?? "";
}

// Returns the program's name for a key, or "" for one that belongs to the browser.
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

// Reads what is typed into a hidden field: phones' keyboards do not name keys, but change the field.
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

  // A space stays in front, so that there is always something for Backspace to delete.
  clear() {
    this.#field.value = " ";
    this.#before = " ";
  }
}
