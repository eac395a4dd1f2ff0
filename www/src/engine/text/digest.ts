//! A short, non-cryptographic digest of a text, for ids that are derived from it.

/** Returns 16 hexadecimal digits that are derived from a text (cyrb53, with both of its halves). */
export function digest(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    two = Math.imul(two ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
