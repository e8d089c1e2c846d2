// The page in which a bot plays the seat: it passes on the program's messages.

import { load } from "./loader.js";

const tell = (detail) => dispatchEvent(new CustomEvent("seat", { detail }));

try {
  const { worker, digits } = await load(location, () => {});
  tell({ kind: "loaded", digits });
  worker.onmessage = ({ data }) => tell(data.record ? { ...data, record: Array.from(data.record) } : data);
  const asked = new URLSearchParams(location.search);
  addEventListener("do", (event) => worker.postMessage({ kind: "do", what: event.detail }));
  worker.postMessage({
    kind: "start", name: "guest", compares: Number(asked.get("compares")), told: asked.has("told"),
  });
} catch (refused) {
  tell({ kind: "refused", text: refused.message });
}
