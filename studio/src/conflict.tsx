// Two versions of a text, side by side, of which a person chooses.

import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { settle } from "./desk";
import { replaceText } from "./editor";
import type { Conflict, Sheet } from "./sheet";

export function ConflictView({ sheet, conflict }: { sheet: Sheet; conflict: Conflict }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const extensions = [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.lineWrapping];
    const view = new MergeView({
      a: { doc: sheet.text.value, extensions: [...extensions, EditorView.contentAttributes.of({ "aria-label": "Yours" })] },
      b: { doc: conflict.there, extensions: [...extensions, EditorView.contentAttributes.of({ "aria-label": "The other version" })] },
      parent: place.current!,
      collapseUnchanged: { margin: 2, minSize: 6 },
    });
    return () => view.destroy();
  }, [conflict]);
  const end = (choice: "mine" | "theirs" | "both") => settle(sheet, choice, (text) => replaceText(sheet, text));
  const whose = conflict.kind === "file" ? "The file has changed since this text was opened" : "This text was changed in another tab";
  return (
    <section class="conflict" aria-label="Two versions of this text" data-test="conflict">
      <p role="alert"><b>{whose}.</b> Nothing is overwritten: left is yours, right the other version.</p>
      <p class="row">
        <button class="quiet" data-test="mine" onClick={() => end("mine")}>Keep mine</button>
        <button class="quiet" data-test="theirs" onClick={() => end("theirs")}>Take the other</button>
        <button class="quiet" data-test="both" onClick={() => end("both")}>Keep both</button>
      </p>
      <div class="versions" ref={place} tabIndex={0} role="group" aria-label="Both versions" />
    </section>
  );
}
