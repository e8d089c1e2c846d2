// What a seat has written, in IndexedDB: files in parts, so that a growing journal is not rewritten each time.
//
// The tab that read it last owns it. Another tab's writes then fail, so no two tabs sign for one seat.

const NAME = "kimberley";
const PARTS = "parts";
const OWNER = "owner";
const JOURNALS = "data/journals/";

export class Taken extends Error {}

// Returns whether a seat has an unfinished game: then its journal is still there.
export async function hasUnfinished() {
  const database = await open();
  const journals = IDBKeyRange.bound([JOURNALS], [`${JOURNALS}\uffff`]);
  const found = await answer(database.transaction(PARTS).objectStore(PARTS).count(journals));
  database.close();
  return found > 0;
}

export async function openDatabase() {
  const database = await open();
  const self = Array.from(crypto.getRandomValues(new Uint32Array(4))).join(".");

  return {
    // Takes the database over, and returns all parts in order, each as [path, offset, bytes].
    async read() {
      const work = begin(database);
      work.objectStore(OWNER).put(self, OWNER);
      const parts = work.objectStore(PARTS);
      const keys = answer(parts.getAllKeys());
      const values = answer(parts.getAll());
      const found = (await keys).map(([path, offset], number) => [path, offset, number]);
      const data = await values;
      await ended(work);
      return found.map(([path, offset, number]) => [path, offset, data[number]]);
    },

    // Writes all changes, each as [path, offset, bytes], or none. What the file had from that offset on is replaced, or
    // removed if there are no bytes.
    async write(changes) {
      const work = begin(database);
      if ((await answer(work.objectStore(OWNER).get(OWNER))) !== self) {
        work.abort();
        throw new Taken("This seat is already open in another tab.");
      }
      const parts = work.objectStore(PARTS);
      for (const [path, offset, bytes] of changes) {
        parts.delete(IDBKeyRange.bound([path, offset], [path, Infinity]));
        if (bytes != null) parts.put(bytes, [path, offset]);
      }
      await ended(work);
    },
  };
}

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(PARTS); // its keys are [path, offset]
    request.result.createObjectStore(OWNER);
  };
  return answer(request);
}

function begin(database) {
  return database.transaction([PARTS, OWNER], "readwrite", { durability: "strict" });
}

function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(work) {
  return new Promise((resolve, reject) => {
    work.oncomplete = () => resolve();
    work.onabort = () => reject(work.error ?? new Error("the browser did not store it"));
  });
}
