// What of the page is shown.

import { signal } from "@preact/signals";

/** On a narrow page: the text, not the answers. */
export const textShown = signal(true);
