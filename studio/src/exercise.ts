// Exercises in a model: a hole to be filled in, what is asked for, perhaps a solution.  Values only.
//
//     -- exercise: C1 knows that one of the others has paid
//     -- solution: K(C1, paid2 or paid3)
//     answer: false;
//
// The hole is what stands in the statement after the comments: behind its name or its condition, up to the semicolon.

export interface Exercise {
  task: string;
  /** A formula that says what is asked for; null where the expected verdicts of the model decide. */
  solution: string | null;
  /** Where the hole is, and what stands in it. */
  from: number;
  to: number;
  answer: string;
}

export function exercisesOf(text: string): Exercise[] {
  const found: Exercise[] = [];
  const comment = /^[ \t]*--[ \t]*exercise\b[^:\n]*:[ \t]*(.*)$/gm;
  for (let match = comment.exec(text); match; match = comment.exec(text)) {
    let at = match.index + match[0].length + 1;
    const task = [match[1].trim()];
    let solution: string | null = null;
    for (let line = /^[ \t]*--[ \t]?(.*)$|^[ \t]*$/.exec(lineAt(text, at)); at < text.length && line; line = /^[ \t]*--[ \t]?(.*)$|^[ \t]*$/.exec(lineAt(text, at))) {
      const said = /^[ \t]*solution[ \t]*:(.*)$/.exec(line[1] ?? "");
      if (said) solution = said[1].trim().replace(/;$/, "");
      else if (line[1]?.trim() && solution === null) task.push(line[1].trim());
      at += lineAt(text, at).length + 1;
    }
    const end = text.indexOf(";", at);
    if (end < 0) continue;
    const before = /^\s*(?:[A-Za-z_]\w*\s*:(?!=)|[^;]*[^;:]:(?=\s*\{))?\s*/.exec(text.slice(at, end))![0].length;
    const answer = text.slice(at + before, end);
    found.push({ task: task.join(" "), solution, from: at + before, to: end, answer });
  }
  return found;
}

const lineAt = (text: string, at: number): string => text.slice(at, text.indexOf("\n", at) < 0 ? undefined : text.indexOf("\n", at));

/** What is checked where there is a solution: whether both are true in the same states. */
export const sameEverywhere = (one: Exercise): string => `AG ((${one.answer}) <-> (${one.solution}))`;
