// What the form offers; the server says it.

import { signal } from "@preact/signals";
import type { Settings } from "./types";

const nothing = { words: "", values: [] };
export const settings = signal<Settings>({ engine: { words: "", values: ["auto"] }, strategies: nothing, choices: nothing, blocking: nothing, scheduling: nothing });
