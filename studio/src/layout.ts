// What of the page is shown.

import { signal } from "@preact/signals";

/** On a narrow page: the text, not the answers. */
export const textShown = signal(true);

/** The text hidden, large type, one formula at a time. */
export const lecture = signal(false);

const kept = (name: string, usual: number, least: number, most: number) => {
  const number = Number(localStorage.getItem(name) ?? usual);
  const known = signal(number >= least && number <= most ? number : usual);
  const set = (value: number): void => {
    known.value = Math.max(least, Math.min(most, value));
    try {
      localStorage.setItem(name, String(known.value));
    } catch {
      // a full store keeps texts first; the layout is as usual next time
    }
  };
  return [known, set] as const;
};

/** How much of the width the text has, in percent. */
export const [split, setSplit] = kept("epistrat-split", 46, 15, 80);

/** The size of the text's letters, in pixels. */
export const [letters, setLetters] = kept("epistrat-letters", 13, 9, 32);
