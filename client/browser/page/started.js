// Keeps the program as it is when it has started but knows nothing of a seat yet, so that a reload of this tab need not
// start it from the beginning: the memory of Python after its imports, and the files that were checked for it.
//
// Other pages of this address can read and write what IndexedDB holds. Only what this tab has kept itself is used: its
// mark is in `sessionStorage`, which no other tab sees.

const NAME = "kimberley.started";
const STORE = "started";
const MARK = "kimberley.started";

// Makes and stores a new mark for what this tab is about to keep of the program with this hash.
export function newMark(hash) {
  const mark = `${hash} ${Array.from(crypto.getRandomValues(new Uint32Array(4))).join(".")}`;
  sessionStorage.setItem(MARK, mark);
  return mark;
}

// Returns what this tab has kept of the program with this hash, as given to `keepStarted`; undefined if nothing.
export async function findStarted(hash) {
  const mark = sessionStorage.getItem(MARK);
  if (!mark?.startsWith(`${hash} `)) return undefined;
  try {
    const database = await open();
    const found = await answer(database.transaction(STORE).objectStore(STORE).get(STORE));
    database.close();
    return found?.mark === mark ? found : undefined;
  } catch {
    return undefined; // then it is started as on the first visit
  }
}

// Keeps this in place of everything that was kept before.
export async function keepStarted(mark, started) {
  try {
    const database = await open();
    await answer(database.transaction(STORE, "readwrite").objectStore(STORE).put({ mark, ...started }, STORE));
    database.close();
  } catch {
    // No room: the next start takes longer.
  }
}

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return answer(request);
}

function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
