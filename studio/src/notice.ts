// Short remarks at the foot of the page, perhaps with something to do about them.

import { signal } from "@preact/signals";

export interface Notice {
  words: string;
  action?: { label: string; run: () => void };
}

export const notice = signal<Notice | null>(null);

let fading = 0;

export function tell(words: string, action?: Notice["action"]): void {
  notice.value = { words, action };
  clearTimeout(fading);
  fading = window.setTimeout(() => (notice.value = null), action ? 15_000 : 6_000);
}

/** Tell what went wrong, in its own words. */
export const complain = (refused: unknown): void => tell(refused instanceof Error ? refused.message : String(refused));
