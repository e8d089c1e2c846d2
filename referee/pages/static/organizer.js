// Keeps the organizer's page up to date, and sends its forms, without losing what is typed or open in it.
// Without it the page is complete, but stays as it was when it was loaded.
"use strict";

(() => {
  const PAUSE = 2000;
  const FIELDS = "input[id], select[id]";
  const told = document.getElementById("told");
  // What the server last sent for each part: the page itself differs where somebody is typing.
  const known = new Map();
  let asked = 0;
  // A button that is pressed stays where it is until it is released.
  let pressed = false;

  const parts = (page) => [...page.querySelectorAll("[data-part]")];
  for (const part of parts(document)) known.set(part, part.outerHTML);

  const touched = (field) =>
    field.matches("select")
      ? [...field.options].some((option) => option.selected !== option.defaultSelected)
      : field.value !== field.defaultValue;

  // A part in which somebody is typing stays as it is until the focus is elsewhere.
  const busy = (part) => part.contains(document.activeElement) && document.activeElement.matches("input, select");

  function replacePart(old, now) {
    for (const open of old.querySelectorAll("details[open][id]")) {
      const same = now.querySelector(`#${CSS.escape(open.id)}`);
      if (same) same.open = true;
    }
    for (const field of old.querySelectorAll(FIELDS)) {
      const same = now.querySelector(`#${CSS.escape(field.id)}`);
      if (same && touched(field)) same.value = field.value;
    }
    const focused = old.contains(document.activeElement) ? document.activeElement.outerHTML : null;
    old.replaceWith(now);
    if (focused) [...now.querySelectorAll("button, summary, a")].find((one) => one.outerHTML === focused)?.focus();
  }

  function renewList(list, page) {
    const now = new Map(parts(page).map((part) => [part.dataset.part, part]));
    for (const part of parts(list)) if (!now.has(part.dataset.part) && !busy(part)) part.remove();
    let before = null;
    for (const [name, part] of now) {
      const text = part.outerHTML;
      const old = parts(list).find((one) => one.dataset.part === name);
      if (!old) {
        if (before) before.after(part);
        else list.prepend(part);
        known.set(part, text);
      } else if (known.get(old) !== text && !busy(old)) {
        replacePart(old, part);
        known.delete(old);
        known.set(part, text);
      }
      before = part.isConnected ? part : old;
    }
  }

  function renew(page) {
    for (const list of document.querySelectorAll("[data-parts]")) {
      const other = page.querySelector(`[data-parts="${list.dataset.parts}"]`);
      if (other) renewList(list, document.adoptNode(other));
    }
    if (!page.querySelector("[data-until-end]"))
      for (const section of document.querySelectorAll("[data-until-end]")) section.remove();
    const state = page.querySelector(".state");
    if (state) document.querySelector(".state").textContent = state.textContent;
  }

  async function load(options, settle = () => {}) {
    const turn = ++asked;
    const answer = await fetch(location.href, { cache: "no-store", ...options });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    settle(page);
    // Otherwise a newer answer is on its way, or a button is still pressed.
    if (turn === asked && !pressed) renew(page);
    document.getElementById("stale").hidden = true;
  }

  async function look() {
    try {
      if (!document.hidden) await load({});
    } catch {
      document.getElementById("stale").hidden = false;
    }
    setTimeout(look, PAUSE);
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const button = event.submitter;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, button));
    if (button) button.disabled = true;
    try {
      await load({ method: "POST", body }, (page) => {
        // While the button is disabled, Enter sends nothing. The organizer can respond to the message at once.
        if (button) button.disabled = false;
        const said = page.getElementById("told");
        told.textContent = said.textContent;
        told.className = said.className;
        told.focus();
        if (!("refused" in said.dataset)) {
          form.reset();
          const open = form.closest("details");
          if (open) open.open = false;
        }
      });
      await load({});
    } catch {
      document.getElementById("stale").hidden = false;
    } finally {
      if (button) button.disabled = false;
    }
  });

  addEventListener("pointerdown", () => (pressed = true));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false));
  for (const link of document.querySelectorAll("[data-unscripted]")) link.hidden = true;
  setTimeout(look, PAUSE);
})();
