// Numbers by chance that a seed repeats.

export function random(seed) {
  let state = seed >>> 0;
  const below = (many) => {
    state = (state + 0x6d2b79f5) >>> 0; // mulberry32
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % many;
  };
  return { below, chance: (share) => below(10_000) < 10_000 * share, pick: (all) => all[below(all.length)] };
}
