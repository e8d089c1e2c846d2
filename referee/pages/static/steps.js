// Steps through the moments of a finished game without reloading the page, by its links, by keys, and automatically.
// Without this script, the same links lead to a page for each moment.
"use strict";

(() => {
  const PAUSE = 1500;
  let playing = null;
  let asked = 0;

  function step(key) {
    return document.querySelector(`nav.steps a[data-key="${key}"]`);
  }

  function dress() {
    const button = document.querySelector("[data-play]");
    if (button) {
      button.hidden = false;
      button.textContent = playing ? "Pause" : "Play";
    }
  }

  async function show(where, remember) {
    asked += 1;
    const number = asked;
    const answer = await fetch(where);
    const text = await answer.text();
    // The page that was asked for last is shown, whichever answer comes last.
    if (!answer.ok || number !== asked) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const focused = document.activeElement?.dataset ?? {};
    const main = page.querySelector("main");
    if (remember) history.pushState(null, "", where);
    document.dispatchEvent(new CustomEvent("stepped", { detail: main.outerHTML }));
    document.querySelector("main").replaceWith(main);
    document.title = page.title;
    dress();
    reveal();
    const again = "play" in focused ? "[data-play]" : focused.key ? `[data-key="${focused.key}"]` : null;
    if (again) document.querySelector(again)?.focus();
  }

  function reveal() {
    const list = document.querySelector(".moments .scroll");
    const here = list?.querySelector(".here");
    if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  function stop() {
    clearInterval(playing);
    playing = null;
    dress();
  }

  function play() {
    if (playing) {
      stop();
      return;
    }
    const first = step("ArrowRight") ?? step("Home");
    if (!first) return;
    playing = setInterval(() => {
      const next = step("ArrowRight");
      if (next) show(next.pathname, true);
      else stop();
    }, PAUSE);
    show(first.pathname, true);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("main a[href*='/moments/']");
    if (event.target.closest("[data-play]")) play();
    else if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      stop();
      show(link.pathname, true);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("a, button, summary, .scroll")?.matches(":not(nav.steps *)")) return;
    if (event.key === " ") play();
    else if (step(event.key)) {
      stop();
      show(step(event.key).pathname, true);
    } else return;
    event.preventDefault();
  });

  document.addEventListener("replaced", () => {
    dress();
    reveal();
  });
  addEventListener("popstate", () => show(location.pathname, false));
  dress();
  reveal();
})();
