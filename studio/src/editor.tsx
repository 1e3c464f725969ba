// The editor: CodeMirror with messages, quick fixes, completion and hovers from the server.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, foldService, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics, type Diagnostic as Lint } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
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
} from "@codemirror/view";
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "./api";
import { ispl } from "./ispl";
import { changed, tell, type Sheet } from "./sheet";
import type { Diagnostic } from "./types";

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--paper)", color: "var(--ink)" },
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

const folding = foldService.of((state, start, end) => {
  const line = state.doc.lineAt(start).text;
  const opening = /^\s*(Agent|Vars|Obsvars|Protocol|Evolution|RedStates|Evaluation|InitStates|Groups|Fairness|Formulae|Parameters)\b/.exec(line);
  if (!opening || /\bend\b/.test(line)) return null;
  const closing = new RegExp(`^\\s*end\\s+${opening[1]}\\b`);
  for (let number = state.doc.lineAt(start).number + 1; number <= state.doc.lines; number++) {
    if (closing.test(state.doc.line(number).text)) return { from: end, to: state.doc.line(number).to };
  }
  return null;
});

function lint(one: Diagnostic, length: number): Lint {
  const from = Math.min(one.from, length);
  const more = [one.label, ...one.notes].filter(Boolean).join("\n");
  return {
    from,
    to: Math.min(Math.max(one.to, from), length),
    severity: one.severity,
    source: one.code,
    message: one.message + (more ? `\n${more}` : ""),
    actions: one.fixes.map((fix) => ({
      name: fix.title,
      apply: (view: EditorView) => mend(view, fix.edits),
    })),
  };
}

// -- words that only the analysis can tell apart: agents, actions, values, propositions, groups

const setWords = StateEffect.define<DecorationSet>();
const words = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, change) => change.effects.reduce((found, effect) => (effect.is(setWords) ? effect.value : found), marks.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

function coloured(sheet: Sheet, state: EditorState): DecorationSet {
  const found = (sheet.analysis.value?.tokens ?? []).filter((one) => one.to <= state.doc.length && one.from < one.to);
  return Decoration.set(found.map((one) => Decoration.mark({ class: `word-${one.kind}` }).range(one.from, one.to)), true);
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

  toDOM(): Node {
    const mark = document.createElement("button");
    mark.className = `verdict ${this.verdict}`;
    mark.textContent = this.verdict === "holds" ? "✓" : this.verdict === "fails" ? "✗" : this.verdict === "unknown" ? "?" : "▸";
    mark.title = this.verdict === "none" ? `Check formula ${this.index}` : `Formula ${this.index}: ${this.verdict}; check it again`;
    mark.setAttribute("aria-label", mark.title);
    mark.tabIndex = -1;
    mark.onclick = () => {
      this.sheet.selected.value = this.index;
      this.sheet.view.value = "check";
      void this.sheet.runCheck([this.index]);
    };
    return mark;
  }
}

const setVerdicts = StateEffect.define<RangeSet<VerdictMark>>();
const verdicts = StateField.define<RangeSet<VerdictMark>>({
  create: () => RangeSet.empty,
  update: (marks, change) => change.effects.reduce((found, effect) => (effect.is(setVerdicts) ? effect.value : found), marks.map(change.changes)),
});
const verdictGutter = [verdicts, gutter({ class: "verdicts", markers: (view) => view.state.field(verdicts) })];

function marks(sheet: Sheet, state: EditorState): RangeSet<VerdictMark> {
  const known = new Map(sheet.stale.value ? [] : sheet.results.value.map((one) => [one.index, one.verdict]));
  const places = (sheet.analysis.value?.formulae ?? []).filter((one) => one.from <= state.doc.length);
  return RangeSet.of(
    places.map((one) => new VerdictMark(sheet, one.index, known.get(one.index) ?? "none").range(state.doc.lineAt(one.from).from)),
    true,
  );
}

export const mend = (view: EditorView, edits: { from: number; to: number; insert: string }[]): void =>
  view.dispatch({ changes: edits.map(({ from, to, insert }) => ({ from, to, insert })), userEvent: "input.fix" });

const KINDS: Record<string, string> = { section: "keyword", operator: "function", agent: "class", group: "namespace", action: "method", proposition: "property", value: "constant" };

const complete = (sheet: Sheet) => async (context: CompletionContext) => {
  if (!context.explicit && !context.matchBefore(/[\w.<]$/)) return null;
  const text = context.state.doc.toString();
  const offers = await ask("complete", { ...sheet.model, text, offset: context.pos }).catch(() => []);
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
    const found = await ask("hover", { ...sheet.model, text, offset: position }).catch(() => null);
    if (!found) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: markdown(found.text) }) };
  });

async function define(view: EditorView, sheet: Sheet): Promise<void> {
  const found = await ask("define", {
    ...sheet.model,
    text: view.state.doc.toString(),
    offset: view.state.selection.main.head,
  }).catch(() => null);
  if (found) reveal(view, found.from, found.to);
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
    const { text } = await ask("layout", { ...sheet.model, text: view.state.doc.toString() });
    if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  } catch (refused) {
    tell((refused as Error).message);
  }
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
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      sheet.text.value = update.state.doc.toString();
      changed(sheet);
    }),
    keymap.of([
      { key: "Mod-s", run: run(() => sheet.save()), preventDefault: true },
      { key: "Mod-Enter", run: run(() => sheet.runCheck()) },
      { key: "F12", run: (view) => run(() => define(view, sheet))() },
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
    const state = states.get(sheet) ?? EditorState.create({ doc: sheet.text.value, extensions: extensions(sheet) });
    const view = new EditorView({ state, parent: place.current! });
    editor.view = view;
    void sheet.analyse();
    const stop = effect(() => {
      const found = sheet.analysis.value;
      const length = view.state.doc.length;
      view.dispatch({ effects: setWords.of(coloured(sheet, view.state)) });
      view.dispatch(setDiagnostics(view.state, (found?.diagnostics ?? []).map((one) => lint(one, length))));
    });
    const stopVerdicts = effect(() => view.dispatch({ effects: setVerdicts.of(marks(sheet, view.state)) }));
    return () => {
      stop();
      stopVerdicts();
      states.set(sheet, view.state);
      view.destroy();
      if (editor.view === view) editor.view = null;
    };
  }, [sheet]);
  return <div class="editor" ref={place} />;
}

/** Replace the text of a sheet, as one change that can be undone. */
export function replaceText(sheet: Sheet, text: string): void {
  const view = editor.view;
  if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  else sheet.text.value = text;
}
