// What of the page is shown.

import { signal } from "@preact/signals";

/** On a narrow page: the text, not the answers. */
export const textShown = signal(true);

/** The text hidden, large type, one formula at a time. */
export const lecture = signal(false);
