// Where the cells of films come from in the studio: the simulator answers about the text that the run belongs to.

import type { About } from "../asked";
import type { Sheet } from "../sheet";
import { knowledgeIn } from "./track";
import type { Said } from "../types";
import type { Watching } from "./watch";

export function watchingOf(sheet: Sheet, about: About | undefined, formula = "", said: Said[] = []): Watching {
  return {
    about,
    formulae: sheet.truths.value.map((one) => one.formula),
    proposed: knowledgeIn(formula),
    watch: (one) => void sheet.whether(one),
    forget: (one) => (sheet.truths.value = sheet.truths.value.filter((other) => other.formula !== one)),
    film: (run, formulae) => sheet.film(about ?? sheet.about.value, run, formulae, said),
    said,
  };
}
