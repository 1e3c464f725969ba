// ISPL for the editor: words, comments and numbers are coloured here; what they mean, the server knows.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const SECTIONS = new Set(
  ("Agent Environment Vars Obsvars Lobsvars Actions Protocol Evolution RedStates Evaluation InitStates Groups Fairness Formulae " +
    "Semantics Composition SingleAssignment MultiAssignment MA SA Synchronous Interleaved Parameters end include").split(" "),
);
const WORDS = new Set("if and or not Other Action where in forall exists count sum mod".split(" "));
const OPERATORS = new Set<string>();
/** Words of operators, as the server lists them. */
export const operators = (words: string[]): void => words.forEach((word) => OPERATORS.add(word));
const TYPES = new Set(["boolean", "integer", "real", "true", "false"]);

const language = StreamLanguage.define<{ comment: boolean }>({
  name: "ispl",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo("*/")) {
        stream.match("*/");
        state.comment = false;
      } else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("--") || stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match(/^\d+(\.\d+)?/)) return "number";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/) as RegExpMatchArray | null;
    if (word) {
      if (SECTIONS.has(word[0])) return "keyword";
      if (WORDS.has(word[0])) return "operatorKeyword";
      if (OPERATORS.has(word[0])) return "modifier";
      if (TYPES.has(word[0])) return "typeName";
      return "variableName";
    }
    if (stream.match(/^(->|<->|<=|>=|<>|[=<>!+\-*/])/)) return "operator";
    stream.next();
    return "punctuation";
  },
  languageData: { commentTokens: { line: "--" }, closeBrackets: { brackets: ["(", "[", "{"] } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--code-keyword)" },
  { tag: tags.modifier, color: "var(--code-operator)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.operator, color: "var(--code-mark)" },
  { tag: tags.punctuation, color: "var(--code-mark)" },
]);

export const ispl = [language, syntaxHighlighting(colours)];
