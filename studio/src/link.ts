// Links that carry a model: everything stands behind `#`, which browsers send to nobody.

/** What a link carries: a text with its sizes, and where to look. */
export interface Carried {
  name: string;
  text: string;
  parameters: Record<string, number>;
  formula: number | null;
  moment: number | null;
  lecture: boolean;
}

const NOTHING: Carried = { name: "shared.ispl", text: "", parameters: {}, formula: null, moment: null, lecture: false };
/** Characters of a text that is unpacked from a link; as many as the server takes. */
const MOST = 8_000_000;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    if (size > MOST) throw new Error("the text in it is too long");
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** As letters, digits, `-` and `_`. */
export async function packed(carried: Carried): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(carried)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The same the other way round; an error, in words, where this is no such link. */
export async function unpacked(word: string): Promise<Carried> {
  try {
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")))) as Partial<Carried>;
    if (typeof found.text !== "string") throw new Error("there is no text in it");
    const number = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);
    const parameters = Object.fromEntries(Object.entries(found.parameters ?? {}).filter(([, value]) => number(value) !== null));
    const name = typeof found.name === "string" && found.name ? found.name.slice(0, 100) : NOTHING.name;
    return { name, text: found.text, parameters, formula: number(found.formula), moment: number(found.moment), lecture: found.lecture === true };
  } catch (wrong) {
    throw new Error(`This link cannot be read: ${(wrong as Error).message}.`, { cause: wrong });
  }
}
