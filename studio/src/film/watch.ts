// What is watched along runs: formulae with a cell for each moment.  Panels say where the answers come from.

import { createContext } from "preact";
import type { Film, Run, Said } from "../types";

export interface Watching {
  /** What the answers are about: answers about something else are not shown. */
  about?: unknown;
  formulae: string[];
  /** Formulae that are worth watching here. */
  proposed: string[];
  /** Null where nobody could answer more. */
  watch: ((formula: string) => void) | null;
  forget: (formula: string) => void;
  film: (run: Run, formulae: string[]) => Promise<Film>;
  /** What was announced on the run that is shown. */
  said?: Said[];
}

export const Watch = createContext<Watching | null>(null);
