// Keeps the page up to date: requests the changes every two seconds, and counts down the running clocks.
// Without it the page is complete, but stays as it was when it was loaded.
"use strict";

(() => {
  const PAUSE = 2000;
  const LOW = 60;
  let tag = null;
  let shown = performance.now();
  let known = document.querySelector("main").outerHTML;

  function inWords(seconds) {
    const whole = Math.max(0, Math.ceil(seconds));
    const hours = Math.floor(whole / 3600);
    const minutes = Math.floor(whole / 60) % 60;
    const two = (number) => String(number).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  }

  function tick() {
    const since = (performance.now() - shown) / 1000;
    for (const clock of document.querySelectorAll(".clock.runs, .clock.count")) {
      const left = Number(clock.dataset.left) - since;
      clock.textContent = inWords(left);
      clock.classList.toggle("low", left < LOW && !clock.classList.contains("count"));
    }
  }

  // Replaces the parts that are different now; a link in the others keeps its focus.
  function renewParts(old, now) {
    if (old.childElementCount !== now.childElementCount) {
      old.replaceWith(now);
      return;
    }
    const pairs = [...old.children].map((part, place) => [part, now.children[place]]);
    for (const [part, other] of pairs) if (part.outerHTML !== other.outerHTML) part.replaceWith(other);
  }

  async function look() {
    if (document.hidden) {
      setTimeout(look, PAUSE);
      return;
    }
    const where = location.href;
    try {
      const answer = await fetch(where, { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} });
      const text = await answer.text();
      // The answer is for another page if the reader has moved to another moment in the meantime.
      if (answer.status === 200 && location.href === where) {
        const page = new DOMParser().parseFromString(text, "text/html");
        const main = page.querySelector("main");
        const state = page.querySelector("header");
        if (main && state) {
          // A page that has not changed stays as it is, with its focus and with what is scrolled or open in it.
          if (main.outerHTML !== known) {
            known = main.outerHTML;
            document.querySelector("main").replaceWith(main);
            document.dispatchEvent(new Event("replaced"));
          }
          renewParts(document.querySelector("header"), state);
          document.title = page.title;
          shown = performance.now();
        }
        tag = answer.headers.get("ETag");
      }
      document.getElementById("stale").hidden = true;
    } catch {
      document.getElementById("stale").hidden = false;
    }
    setTimeout(look, PAUSE);
  }

  document.addEventListener("stepped", (event) => {
    known = event.detail;
    tag = null;
  });
  setInterval(tick, 250);
  setTimeout(look, PAUSE);
})();
