// Hands the checked files of one program to the service worker, which serves them from the next visit on.
//
// Browsers allow service workers in secure contexts only: over HTTPS, or from the same computer.

const WORKER = "service_worker.js";
const LAST = "index.html"; // is put last: if it is there, all files are
const HEADERS = ["Content-Type", "Content-Security-Policy"];

// Returns whether the service worker has served this page from a program other than the one with these digits.
export async function isOfAnother(digits) {
  if (!navigator.serviceWorker?.controller) return false;
  const [served] = await caches.keys();
  return served !== undefined && served !== digits;
}

// Keeps these files, a map by name, and no others. `known` has the SHA-256 of each.
export async function keep(digits, files, known) {
  if (!navigator.serviceWorker) return;
  try {
    if (!(await caches.match(pathOf(LAST), { cacheName: digits }))) await put(await caches.open(digits), files);
    await forget((name) => name !== digits);
    // With its hash in the address, and from the browser's own cache: the host is asked for it again only after a day.
    const address = `${pathOf(WORKER)}?${known[WORKER].sha256.slice(0, 16)}`;
    await navigator.serviceWorker.register(address, { scope: "/", updateViaCache: "all" });
  } catch {
    // No room, or not allowed: then the host serves the page each time.
    await forget(() => true);
  }
}

async function put(cache, files) {
  const names = [...files.keys()].filter((name) => name !== LAST);
  for (const name of [...names, LAST]) {
    const { data, headers } = files.get(name);
    const kept = HEADERS.filter((header) => headers.has(header)).map((header) => [header, headers.get(header)]);
    await cache.put(pathOf(name), new Response(data, { headers: kept }));
  }
}

async function forget(which) {
  for (const name of await caches.keys()) if (which(name)) await caches.delete(name);
}

function pathOf(name) {
  return `/play/${name}`;
}
