// The editor: CodeMirror with messages, quick fixes, completion and hovers from the server.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
import { bracketMatching, foldEffect, foldGutter, foldKeymap, foldService, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { ChangeSet, EditorSelection, EditorState, RangeSet, StateEffect, StateField, type Extension, type TransactionSpec } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  type DecorationSet,
  gutter,
  GutterMarker,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  showDialog,
} from "@codemirror/view";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "./api";
import { ispl } from "./ispl";
import { changed } from "./desk";
import { complain, tell } from "./notice";
import type { Sheet } from "./sheet";
import { mapped } from "./places";
import type { Diagnostic } from "./types";

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--letters, 13px)", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "12px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line-here)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line-here)", color: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--chosen) !important" },
  ".cm-selectionMatch": { backgroundColor: "var(--chosen)" },
  ".cm-matchingBracket": { backgroundColor: "var(--chosen) !important", outline: "1px solid var(--rule)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--rule)", borderRadius: "8px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75", fontStyle: "normal", marginLeft: "1em" },
  ".cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-panel input, .cm-panel button": { font: "inherit", color: "inherit", background: "var(--paper)", border: "1px solid var(--rule)", borderRadius: "6px" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "3px" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", borderRadius: "6px", padding: "2px 8px", font: "inherit" },
  ".cm-foldPlaceholder": { background: "var(--chosen)", border: "none", color: "var(--ink)", padding: "0 6px" },
});

/** The end of the comment that begins in this line, if it has several. */
function commentFrom(state: EditorState, start: number): number | null {
  const comment = (number: number) => number >= 1 && number <= state.doc.lines && state.doc.line(number).text.startsWith("--");
  const first = state.doc.lineAt(start).number;
  if (!comment(first) || comment(first - 1)) return null;
  let last = first;
  while (comment(last + 1)) last++;
  return last > first ? state.doc.line(last).to : null;
}

const folding = foldService.of((state, start, end) => {
  const comment = commentFrom(state, start);
  if (comment) return { from: end, to: comment };
  const line = state.doc.lineAt(start).text;
  const opening = /^\s*(Agent|Vars|Obsvars|Protocol|Evolution|RedStates|Evaluation|InitStates|Groups|Fairness|Formulae|Parameters)\b/.exec(line);
  if (!opening || /\bend\b/.test(line)) return null;
  const closing = new RegExp(`^\\s*end\\s+${opening[1]}\\b`);
  for (let number = state.doc.lineAt(start).number + 1; number <= state.doc.lines; number++) {
    if (closing.test(state.doc.line(number).text)) return { from: end, to: state.doc.line(number).to };
  }
  return null;
});

// -- places of an analysis, in the text as it is now

/** What was typed since the analysis that is shown was asked for, and since the one that is under way was. */
interface Since {
  shown: ChangeSet;
  sent: ChangeSet;
}
const typed = new WeakMap<Sheet, Since>();

/** Where a range of the analysed text is now; null if it was deleted or written into. */
export function now(sheet: Sheet, range: { from: number; to: number }, view: EditorView): { from: number; to: number } | null {
  const since = typed.get(sheet)?.shown ?? ChangeSet.empty(view.state.doc.length);
  return mapped(since, range);
}

function lint(sheet: Sheet, one: Diagnostic, view: EditorView): Lint[] {
  const place = now(sheet, one, view);
  if (!place) return [];
  const more = [one.label, ...one.notes].filter(Boolean).join("\n");
  return [{
    ...place,
    severity: one.severity,
    source: one.code,
    message: one.message + (more ? `\n${more}` : ""),
    actions: one.fixes.map((fix) => ({
      name: fix.title,
      apply: (editing: EditorView) => mend(sheet, editing, fix.edits),
    })),
  }];
}

// -- words that only the analysis can tell apart: agents, actions, values, propositions, groups

const setWords = StateEffect.define<DecorationSet>();
const words = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, change) => change.effects.reduce((found, effect) => (effect.is(setWords) ? effect.value : found), marks.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

function coloured(sheet: Sheet, view: EditorView): DecorationSet {
  const found = (sheet.analysis.value?.tokens ?? []).flatMap((one) => {
    const place = now(sheet, one, view);
    return place && place.from < place.to ? [Decoration.mark({ class: `word-${one.kind}` }).range(place.from, place.to)] : [];
  });
  return Decoration.set(found, true);
}

// -- verdicts beside the formulae

class VerdictMark extends GutterMarker {
  constructor(
    readonly sheet: Sheet,
    readonly index: number,
    readonly verdict: string,
  ) {
    super();
  }

  eq(other: VerdictMark): boolean {
    return this.index === other.index && this.verdict === other.verdict && this.sheet === other.sheet;
  }

  toDOM(view: EditorView): Node {
    const mark = document.createElement("button");
    mark.className = `verdict ${this.verdict}`;
    mark.textContent = this.verdict === "holds" ? "✓" : this.verdict === "fails" ? "✗" : this.verdict === "unknown" ? "?" : "▸";
    mark.title = this.verdict === "none" ? `Check formula ${this.index}` : `Formula ${this.index}: ${this.verdict}; check it again`;
    mark.setAttribute("aria-label", mark.title);
    mark.tabIndex = -1;
    mark.onclick = () => void this.check(view, mark);
    return mark;
  }

  /** Check the formula beside which this stands: its number may be another one by now. */
  private async check(view: EditorView, mark: HTMLElement): Promise<void> {
    const { sheet } = this;
    const at = view.lineBlockAtHeight(mark.getBoundingClientRect().top + 2 - view.documentTop).from;
    if (!(await sheet.upToDate())) return tell("The text has just changed; try it again.");
    const here = sheet.analysis.value?.formulae.find((one) => {
      const place = now(sheet, one, view);
      return place !== null && view.state.doc.lineAt(place.from).from === at;
    });
    if (!here) return tell("There is no formula here any more.");
    sheet.selected.value = here.index;
    sheet.view.value = "check";
    await sheet.runCheck([here.index]);
  }
}

const setVerdicts = StateEffect.define<RangeSet<VerdictMark>>();
const verdicts = StateField.define<RangeSet<VerdictMark>>({
  create: () => RangeSet.empty,
  update: (marks, change) => change.effects.reduce((found, effect) => (effect.is(setVerdicts) ? effect.value : found), marks.map(change.changes)),
});
const verdictGutter = [verdicts, gutter({ class: "verdicts", markers: (view) => view.state.field(verdicts) })];

function marks(sheet: Sheet, view: EditorView): RangeSet<VerdictMark> {
  const known = new Map(sheet.stale.value || !sheet.fresh.value ? [] : (sheet.answers.value?.value.results ?? []).map((one) => [one.index, one.verdict]));
  const places = (sheet.analysis.value?.formulae ?? []).flatMap((one) => {
    const place = now(sheet, one, view);
    return place ? [new VerdictMark(sheet, one.index, known.get(one.index) ?? "none").range(view.state.doc.lineAt(place.from).from)] : [];
  });
  return RangeSet.of(places, true);
}

/** Apply a fix, where its places are now; if somebody has written into one, it is refused in words. */
export function mend(sheet: Sheet, view: EditorView, edits: { from: number; to: number; insert: string }[]): void {
  const places = edits.map((edit) => ({ place: now(sheet, edit, view), insert: edit.insert }));
  if (places.some((one) => !one.place)) return tell("The text has changed here; wait for the next messages.");
  view.dispatch({ changes: places.map(({ place, insert }) => ({ ...place!, insert })), userEvent: "input.fix" });
}

/** Show a range of the analysed text. */
export function show(sheet: Sheet, range: { from: number; to: number }): void {
  const { view } = editor;
  const place = view && now(sheet, range, view);
  if (view && place) reveal(view, place.from, place.to);
}

const KINDS: Record<string, string> = { section: "keyword", operator: "function", agent: "class", group: "namespace", action: "method", proposition: "property", value: "constant" };

/** What is done where a question was not answered: it is written down for who looks for the reason, and the editor goes on. */
const unanswered = <T,>(instead: T) => (refused: unknown): T => {
  console.debug("not answered:", refused);
  return instead;
};

const complete = (sheet: Sheet) => async (context: CompletionContext) => {
  if (!context.explicit && !context.matchBefore(/[\w.<]$/)) return null;
  const text = context.state.doc.toString();
  const offers = await ask("complete", { ...sheet.model(), text, offset: context.pos }).catch(unanswered([]));
  if (!offers.length) return null;
  const from = Math.min(...offers.map((one) => one.from));
  return {
    from,
    options: offers.map((one) => ({
      label: one.label,
      detail: one.detail,
      type: KINDS[one.kind] ?? one.kind,
      apply: one.snippet ? snippet(one.insert) : one.insert,
    })),
    validFor: /^\w*$/,
  };
};

/** A little Markdown: code, bold and line breaks are all that hovers use. */
function markdown(text: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "hover";
  for (const paragraph of text.split(/\n{2,}/)) {
    const p = document.createElement(paragraph.startsWith("```") ? "pre" : "p");
    if (paragraph.startsWith("```")) p.textContent = paragraph.replace(/^```\w*\n?|\n?```$/g, "");
    else
      for (const part of paragraph.split(/(`[^`]*`|\*\*[^*]*\*\*)/)) {
        const piece = document.createElement(part.startsWith("`") ? "code" : part.startsWith("**") ? "b" : "span");
        piece.textContent = part.replace(/^`|`$|^\*\*|\*\*$/g, "");
        p.append(piece);
      }
    box.append(p);
  }
  return box;
}

const hover = (sheet: Sheet) =>
  hoverTooltip(async (view, position) => {
    const text = view.state.doc.toString();
    const found = await ask("hover", { ...sheet.model(), text, offset: position }).catch(unanswered(null));
    if (!found) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: markdown(found.text) }) };
  });

async function define(view: EditorView, sheet: Sheet): Promise<void> {
  const found = await ask("define", {
    ...sheet.model(),
    text: view.state.doc.toString(),
    offset: view.state.selection.main.head,
  }).catch(unanswered(null));
  if (found) reveal(view, found.from, found.to);
}

/** Give what is named at the cursor another name, wherever it is named. */
async function rename(view: EditorView, sheet: Sheet): Promise<void> {
  const before = view.state.doc.toString();
  const at = view.state.wordAt(view.state.selection.main.head);
  if (!at) return tell("There is no name here.");
  const { result } = showDialog(view, { label: "Another name: ", input: { name: "name", value: view.state.sliceDoc(at.from, at.to), "aria-label": "Another name" }, submitLabel: "Rename", focus: true, top: true });
  const form = await result;
  const name = form?.elements.namedItem("name");
  if (!(name instanceof HTMLInputElement)) return;
  try {
    const edits = await ask("rename", { ...sheet.model(), text: before, offset: at.from, to: name.value });
    if (view.state.doc.toString() !== before) return tell("The text has changed meanwhile; rename it again.");
    view.dispatch({ changes: edits, userEvent: "input.rename" });
    view.focus();
  } catch (refused) {
    complain(refused);
  }
}

/** Select every place that names what is named at the cursor: typing changes all of them. */
async function occurrences(view: EditorView, sheet: Sheet): Promise<void> {
  const text = view.state.doc.toString();
  const found = await ask("occurrences", { ...sheet.model(), text, offset: view.state.selection.main.head }).catch(unanswered([]));
  if (!found.length || view.state.doc.toString() !== text) return tell("There is no name here.");
  view.dispatch({ selection: EditorSelection.create(found.map((one) => EditorSelection.range(one.from, one.to))) });
  tell(`${found.length} places`);
}

export function reveal(view: EditorView, from: number, to: number): void {
  const length = view.state.doc.length;
  view.dispatch({
    selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
    effects: EditorView.scrollIntoView(Math.min(from, length), { y: "center" }),
  });
  view.focus();
}

export async function layOut(view: EditorView, sheet: Sheet): Promise<void> {
  try {
    const before = view.state.doc.toString();
    const { text } = await ask("layout", { ...sheet.model(), text: before });
    if (view.state.doc.toString() !== before) return tell("The text has changed meanwhile; lay it out again.");
    if (text !== before) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  } catch (refused) {
    complain(refused);
  }
}

/** A character of which only one half is pasted can be neither sent nor saved: a mark is written in its place. */
function wellFormed(change: import("@codemirror/state").Transaction): TransactionSpec | readonly TransactionSpec[] {
  if (!change.docChanged) return change;
  const changes: { from: number; to: number; insert: string }[] = [];
  change.changes.iterChanges((_from, _to, from, to, inserted) => {
    const text = inserted.toString();
    if (!text.isWellFormed()) changes.push({ from, to, insert: text.toWellFormed() });
  });
  return changes.length ? [change, { changes, sequential: true }] : change;
}

function extensions(sheet: Sheet): Extension {
  const run = (what: () => unknown) => () => {
    void what();
    return true;
  };
  return [
    lineNumbers(),
    foldGutter(),
    folding,
    lintGutter(),
    verdictGutter,
    words,
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    EditorView.lineWrapping,
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    indentUnit.of("    "),
    EditorState.tabSize.of(4),
    autocompletion({ override: [complete(sheet)], icons: false }),
    hover(sheet),
    ispl,
    theme,
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `Text of ${sheet.name.value}` }),
    EditorState.transactionFilter.of(wellFormed),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const since = typed.get(sheet);
      if (since) typed.set(sheet, { shown: since.shown.compose(update.changes), sent: since.sent.compose(update.changes) });
      sheet.text.value = update.state.doc.toString();
      changed(sheet);
    }),
    keymap.of([
      { key: "F12", run: (view) => run(() => define(view, sheet))() },
      { key: "F2", run: (view) => run(() => rename(view, sheet))() },
      { key: "Shift-F12", run: (view) => run(() => occurrences(view, sheet))() },
      { key: "Mod-/", run: toggleComment },
      { key: "F8", run: nextDiagnostic },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

const states = new WeakMap<Sheet, EditorState>();
export const editor: { view: EditorView | null } = { view: null };

export function Editor({ sheet }: { sheet: Sheet }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const known = states.get(sheet);
    const state = (known?.doc.toString() === sheet.text.value ? known : null) ?? EditorState.create({ doc: sheet.text.value, extensions: extensions(sheet) });
    const view = new EditorView({ state, parent: place.current! });
    editor.view = view;
    const comment = sheet.example && !known ? commentFrom(view.state, 0) : null; // what it tells stands above the answers
    if (comment) view.dispatch({ effects: foldEffect.of({ from: view.state.doc.line(1).to, to: comment }) });
    const nothing = () => ChangeSet.empty(view.state.doc.length);
    if (!typed.has(sheet)) typed.set(sheet, { shown: nothing(), sent: nothing() });
    sheet.analysisSent = () => typed.set(sheet, { shown: typed.get(sheet)?.shown ?? nothing(), sent: nothing() });
    sheet.analysisCame = () => typed.set(sheet, { shown: typed.get(sheet)!.sent, sent: typed.get(sheet)!.sent });
    void sheet.analyse();
    const stop = effect(() => {
      const found = sheet.analysis.value;
      view.dispatch({ effects: setWords.of(coloured(sheet, view)) });
      view.dispatch(setDiagnostics(view.state, (found?.diagnostics ?? []).flatMap((one) => lint(sheet, one, view))));
    });
    const stopVerdicts = effect(() => view.dispatch({ effects: setVerdicts.of(marks(sheet, view)) }));
    return () => {
      stop();
      stopVerdicts();
      states.set(sheet, view.state);
      view.destroy();
      sheet.analysisSent = sheet.analysisCame = () => undefined;
      typed.delete(sheet);
      if (editor.view === view) editor.view = null;
    };
  }, [sheet]);
  return <div class="editor" ref={place} />;
}

/** Replace the text of a sheet, as one change that can be undone. */
export function replaceText(sheet: Sheet, text: string): void {
  const view = editor.view;
  if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  else {
    sheet.text.value = text;
    changed(sheet);
  }
}
