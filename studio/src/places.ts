// Where a range of an older text is in a newer one.

import type { ChangeDesc } from "@codemirror/state";

/** The range after the changes; null if one of them deleted it or wrote into it.  Text put in beside it does not belong to it. */
export function mapped(changes: ChangeDesc, { from, to }: { from: number; to: number }): { from: number; to: number } | null {
  if (from > to || to > changes.length) return null;
  let touched = false;
  changes.iterChangedRanges((start, end) => {
    if (from === to ? start < from && end > from : start < to && end > from) touched = true;
  });
  if (touched) return null;
  if (from === to) return { from: changes.mapPos(from, 1), to: changes.mapPos(from, 1) };
  return { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) };
}
