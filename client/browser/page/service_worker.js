// Answers in place of the host from the second visit on: the page comes from the checked files (`kept.js`).
//
// Only that page accepts another program, after it has checked it (`loader.js`). Nothing else that is served at this
// address can reach what the page has stored.

const PAGE = "/p";
const INDEX = "/play/index.html";
const APART = "sandbox allow-scripts allow-downloads";
const ASKED_ANEW = ["no-store", "reload"]; // how the loader asks for what it has not checked yet

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") {
    event.respondWith(pathname === PAGE ? kept(INDEX, request) : apart(request));
  } else if (origin === location.origin && !ASKED_ANEW.includes(request.cache)) {
    event.respondWith(kept(pathname, request));
  }
});

async function kept(path, request) {
  return (await caches.match(path)) ?? fetch(request);
}

// Answers with a page of the host that is not a seat. Its scripts run as if they were from another site.
async function apart(request) {
  const answer = await fetch(request);
  if (answer.type === "opaqueredirect") return answer;
  const headers = new Headers(answer.headers);
  headers.append("Content-Security-Policy", APART);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
