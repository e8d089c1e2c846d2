// SHA-256 (FIPS 180-4) of bytes that come in parts. The browser's own (crypto.subtle) is missing on plain HTTP.

const ROUNDS = new Uint32Array(64);
const START = new Uint32Array(8);

function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

for (let number = 2, found = 0; found < 64; number++) {
  let prime = true;
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) prime = false;
  if (!prime) continue;
  if (found < 8) START[found] = fraction(Math.sqrt(number));
  ROUNDS[found++] = fraction(Math.cbrt(number));
}

export class Sha256 {
  #state = START.slice();
  #block = new Uint8Array(64);
  #view = new DataView(this.#block.buffer);
  #words = new Uint32Array(64);
  #filled = 0;
  #size = 0;

  update(data) {
    this.#size += data.length;
    let at = 0;
    while (at < data.length) {
      const taken = Math.min(64 - this.#filled, data.length - at);
      this.#block.set(data.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled === 64) this.#mix();
    }
    return this;
  }

  // Returns the digest in hexadecimal. Nothing can be added afterwards.
  digest() {
    const size = this.#size;
    this.update(Uint8Array.of(0x80));
    while (this.#filled !== 56) this.update(Uint8Array.of(0));
    this.#view.setUint32(56, Math.floor(size / 2 ** 29));
    this.#view.setUint32(60, size << 3);
    this.#mix();
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #mix() {
    const words = this.#words;
    for (let i = 0; i < 16; i++) words[i] = this.#view.getUint32(4 * i);
    for (let i = 16; i < 64; i++) {
      const early = words[i - 15];
      const late = words[i - 2];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[i] = words[i - 16] + first + words[i - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = this.#state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (this.#state[i] += word));
    this.#filled = 0;
  }
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}
