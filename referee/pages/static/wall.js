// The time on the wall, and its keys: f fills the screen, 1 to 9 feature a table, 0 lets tables take turns again.
"use strict";

(() => {
  function hour() {
    const shown = document.querySelector("[data-hour]");
    const now = new Date().toTimeString().slice(0, 5);
    if (shown && shown.textContent !== now) shown.textContent = now;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") document.documentElement.requestFullscreen();
    else if (/^[0-9]$/.test(event.key)) location.assign(event.key === "0" ? "/wall" : `/wall/${event.key}`);
  });

  setInterval(hour, 250);
  hour();
})();
