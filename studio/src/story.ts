// The comments at the top of a model as a story: a title, paragraphs, drawings.  Values only.

export interface Story {
  title: string;
  parts: { kind: "words" | "drawing"; text: string }[];
}

/** The story of a text; without one, nothing has a title or parts. */
export function storyOf(text: string): Story {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (/^\s*$/.test(line)) {
      if (lines.length) break;
    } else if (line.startsWith("--")) lines.push(line.slice(2).replace(/^ /, "").trimEnd());
    else break;
  }
  const told = lines.filter((line) => !/^\s*(expect|exercise)\b.*:/.test(line));
  const [first = "", ...rest] = told;
  const second = rest[0] && /^[a-z]/.test(rest[0]) ? rest.shift()! : "";
  const parts: Story["parts"] = [];
  let block: string[] = [];
  const end = () => {
    if (!block.length) return;
    const drawing = block.some((line) => /^\s{3,}|\S\s{3,}\S/.test(line));
    parts.push(drawing ? { kind: "drawing", text: undented(block).join("\n") } : { kind: "words", text: block.map((line) => line.trim()).join(" ") });
    block = [];
  };
  for (const line of rest) {
    if (line.trim()) block.push(line);
    else end();
  }
  end();
  return { title: [first.trim(), second.trim()].filter(Boolean).join(" "), parts };
}

function undented(lines: string[]): string[] {
  const least = Math.min(...lines.map((line) => /^\s*/.exec(line)![0].length));
  return lines.map((line) => line.slice(least));
}
