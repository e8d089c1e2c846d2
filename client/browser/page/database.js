// What a seat has written, in IndexedDB: files in parts, so that a journal that grows is not written anew each time.
//
// Whoever opens it last owns it. What another tab still wants to write then fails, so no two tabs sign for one seat.

const NAME = "kimberley";
const PARTS = "parts";
const OWNER = "owner";
const JOURNALS = "data/journals/";

export class Taken extends Error {}

// Whether a seat has not finished its game: its journal is still there.
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
    // Takes the database, and returns all parts, [path, offset, bytes] each, in order.
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

    // Writes all changes, [path, offset, bytes] each, or nothing. What the file had from that offset on is replaced; a
    // file without bytes is removed.
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
