// All sheets, and how their texts and what is shown beside them are kept: in the browser at once, by the server soon.
//
// The browser keeps one entry for each text that the server does not have yet, under a name that no other page writes to; it goes as soon as
// the server has the text.  The server compares versions, so that two pages never overwrite each other without a word.

import { computed, effect, signal } from "@preact/signals";
import { call, type Refused } from "./api";
import { complain, tell } from "./notice";
import { identifier, plain, Sheet } from "./sheet";
import type { Closed, PaperData } from "./types";

export const sheets = signal<Sheet[]>([]);
export const current = signal<Sheet | null>(null);
export const gallery = signal(false);
export const closed = signal<Closed[]>([]);
/** Why this browser keeps nothing; empty if it does. */
export const browserFull = signal("");

/** This page, until it is loaded again. */
const PAGE = identifier();
const TEXT = "epistrat-text:";
const TABS = "epistrat-tabs";
/** Milliseconds within which what was typed is sent to the server. */
const SOON = 300;
const AGAIN = 2_000;

interface Pending {
  id: string;
  name: string;
  text: string;
  base: string;
  seen: string;
  page: string;
  /** How many changes of that page are in it. */
  edit: number;
  touched: number;
}

/** What a tab of the browser has open, beside the texts that the server keeps. */
interface Tabs {
  current: string;
  examples: { id: string; name: string; text: string }[];
  gallery: boolean;
}

function tabs(): Tabs {
  try {
    return { current: "", examples: [], gallery: false, ...(JSON.parse(sessionStorage.getItem(TABS) ?? "{}") as Partial<Tabs>) };
  } catch {
    return { current: "", examples: [], gallery: false };
  }
}

effect(() => {
  if (!sheets.value.length && !gallery.value) return;
  const examples = sheets.value.flatMap((one) => (one.example && !one.own.value ? [{ id: one.id, name: one.example.name, text: one.example.text }] : []));
  try {
    sessionStorage.setItem(TABS, JSON.stringify({ current: current.value?.id ?? "", examples, gallery: gallery.value }));
  } catch (full) {
    browserFull.value = (full as Error).message;
  }
});

// -- texts

function pending(): Pending[] {
  const found: Pending[] = [];
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith(TEXT))) {
    try {
      found.push(JSON.parse(localStorage.getItem(key) ?? "") as Pending);
    } catch {
      localStorage.removeItem(key); // half an entry
    }
  }
  return found.sort((one, other) => one.touched - other.touched);
}

const keyOf = (id: string, page = PAGE): string => `${TEXT}${id}:${page}`;

function keepHere(sheet: Sheet): void {
  const one: Pending = { id: sheet.id, name: sheet.name.value, text: sheet.written, base: sheet.base, seen: sheet.seen, page: PAGE, edit: sheet.edits[PAGE] ?? 0, touched: Date.now() };
  try {
    localStorage.setItem(keyOf(sheet.id), JSON.stringify(one));
    browserFull.value = "";
  } catch (full) {
    browserFull.value = (full as Error).message;
  }
}

/**
 * What a page that is gone had not sent: the text if nobody else wrote since, a conflict otherwise.  A browser that was killed may have
 * gone back to what it had kept some seconds before; that the server knows already.
 */
function recovered(sheet: Sheet, by: string, mine: Pending): void {
  const text = plain(mine.text);
  localStorage.removeItem(keyOf(mine.id, mine.page));
  if (text === sheet.text.value || (sheet.edits[mine.page] ?? -1) >= mine.edit) return;
  sheet.edits[mine.page] = mine.edit;
  const there = sheet.text.value;
  sheet.text.value = text;
  sheet.restored.value = true;
  if (mine.base !== sheet.base && by !== mine.page) sheet.conflict.value = { kind: "draft", there, version: sheet.base };
  changed(sheet);
}

/** Put the server's texts on the desk, and what only this browser has. */
export function lay(papers: PaperData[], named: string | null = null): void {
  const laid = new Map(papers.map((paper) => [paper.id, { sheet: new Sheet(paper), by: paper.by }]));
  const open = tabs();
  for (const one of open.examples) {
    if (!laid.has(one.id)) laid.set(one.id, { sheet: new Sheet(fresh(one.name.split("/").pop()!, one.text, one.id), one.name), by: "" });
  }
  for (const mine of pending()) {
    if (!laid.has(mine.id)) laid.set(mine.id, { sheet: new Sheet(fresh(mine.name, "", mine.id)), by: "" });
    const { sheet, by } = laid.get(mine.id)!;
    recovered(sheet, by, mine);
  }
  sheets.value = [...laid.values()].map((one) => one.sheet);
  const file = named === null ? undefined : sheets.value.find((one) => one.file);
  current.value = sheets.value.find((one) => one.id === open.current) ?? file ?? sheets.value[0] ?? null;
  gallery.value = open.gallery || !sheets.value.length;
}

const fresh = (name: string, text: string, id = identifier()): PaperData => ({
  ...{ id, name, text, file: null, saved: null, touched: 0, encoding: "utf-8" },
  ...{ version: "", saved_version: "", base: "", draft: false, by: "", edits: {} },
});

const waiting = new Map<Sheet, number>();
const reading = new Map<Sheet, number>();
const sending = new Set<Sheet>();

/** Called after each change of a text: keep it here at once, on the server soon, and ask what is to be said about it. */
export function changed(sheet: Sheet): void {
  sheet.edits[PAGE] = (sheet.edits[PAGE] ?? 0) + 1;
  if (sheet.own.value) {
    keepHere(sheet);
    if (!waiting.has(sheet)) waiting.set(sheet, window.setTimeout(() => void send(sheet), SOON)); // typing on does not put it off
  }
  clearTimeout(reading.get(sheet));
  reading.set(sheet, window.setTimeout(() => void sheet.analyse(), 250));
}

async function send(sheet: Sheet): Promise<void> {
  waiting.delete(sheet);
  if (sending.has(sheet)) return void waiting.set(sheet, window.setTimeout(() => void send(sheet), SOON));
  if (sheet.conflict.value || !sheets.value.includes(sheet)) return;
  sending.add(sheet);
  const text = sheet.written;
  const name = sheet.name.value;
  try {
    const kept = await call<{ version: string }>("PUT", `/api/papers/${sheet.id}`, { name, text, base: sheet.base, seen: sheet.seen, by: PAGE, edits: sheet.edits });
    sheet.base = kept.version;
    sheet.unkept.value = "";
    if (sheet.written === text && sheet.name.value === name) localStorage.removeItem(keyOf(sheet.id));
  } catch (refused) {
    const { status, message, details } = refused as Refused;
    if (status === 409 && details.there !== undefined) sheet.conflict.value = { kind: "draft", there: plain(details.there), version: details.version ?? "" };
    else {
      sheet.unkept.value = message;
      if (!waiting.has(sheet)) waiting.set(sheet, window.setTimeout(() => void send(sheet), AGAIN));
    }
  } finally {
    sending.delete(sheet);
  }
}

/** End a conflict: with one's own text, with the other one, or with both. */
export function settle(sheet: Sheet, choice: "mine" | "theirs" | "both", replace: (text: string) => void): void {
  const conflict = sheet.conflict.value;
  if (!conflict) return;
  sheet.conflict.value = null;
  if (conflict.kind === "file") sheet.seen = conflict.version;
  else sheet.base = conflict.version;
  if (choice === "both") {
    const mine = current.value;
    open(sheet.name.value.replace(/(\.ispl)?$/, " (other)$1"), conflict.there);
    current.value = mine;
  }
  if (choice === "theirs") replace(conflict.there);
  if (conflict.kind === "file") {
    sheet.saved.value = conflict.there;
    if (choice !== "theirs") tell("Your text stays; save it to write it into the file.");
  }
  changed(sheet);
}

export function open(name: string, text: string, example: string | null = null): Sheet {
  const sheet = new Sheet(fresh(distinct(name), text), example);
  sheets.value = [...sheets.value, sheet];
  current.value = sheet;
  gallery.value = false;
  changed(sheet);
  return sheet;
}

/** A name that no other tab has. */
function distinct(name: string): string {
  const taken = new Set(sheets.value.map((one) => one.name.value));
  const [, stem, end] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? ["", name, ""];
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${stem} ${number}${end ?? ""}`;
  return found;
}

export function rename(sheet: Sheet, name: string): void {
  if (!name.trim() || sheet.file) return;
  sheet.name.value = name.trim();
  if (sheet.own.value) changed(sheet);
}

/** Texts that the server is just told to close: who wants one back waits for that. */
const closing = new Map<string, Promise<void>>();

/** Take a text from the desk.  It can be opened again, at once or later. */
export async function close(sheet: Sheet): Promise<void> {
  const done = putAway(sheet);
  closing.set(sheet.id, done);
  await done;
  closing.delete(sheet.id);
}

async function putAway(sheet: Sheet): Promise<void> {
  const place = sheets.value.indexOf(sheet);
  clearTimeout(waiting.get(sheet));
  waiting.delete(sheet);
  sheets.value = sheets.value.filter((one) => one !== sheet);
  if (current.value === sheet) current.value = sheets.value[Math.min(place, sheets.value.length - 1)] ?? null;
  if (!sheets.value.length) gallery.value = true;
  for (const work of sheet.works) work.stop().catch(complain);
  views.get(sheet.id)?.();
  views.delete(sheet.id);
  if (!sheet.own.value && !sheet.file) return;
  tell(`${sheet.name.value} was closed.`, { label: "Undo", run: () => void reopen(sheet.id) });
  try {
    const { name, text } = { name: sheet.name.value, text: sheet.written };
    if (sheet.own.value && sheet.dirty.value) await call("PUT", `/api/papers/${sheet.id}`, { name, text, base: sheet.base, seen: sheet.seen, by: PAGE, edits: sheet.edits });
    await call("DELETE", `/api/papers/${sheet.id}`);
    localStorage.removeItem(keyOf(sheet.id));
    closed.value = [{ id: sheet.id, name }, ...closed.value.filter((one) => one.id !== sheet.id)];
  } catch (refused) {
    complain(refused); // the entry in the browser stays, so the text is there after a reload
  }
}

export async function reopen(id: string): Promise<void> {
  try {
    await closing.get(id);
    const sheet = new Sheet(await call<PaperData>("POST", `/api/papers/${id}/reopen`));
    sheets.value = [...sheets.value, sheet];
    current.value = sheet;
    gallery.value = false;
    closed.value = closed.value.filter((one) => one.id !== id);
  } catch (refused) {
    complain(refused);
  }
}

// -- what is shown beside a text

const views = new Map<string, () => void>();
const due = new Map<Sheet, number>();

async function fetchView(sheet: Sheet): Promise<void> {
  try {
    const { view } = await call<{ view: object | null }>("GET", `/api/views/${sheet.id}`);
    if (view) sheet.restore(view);
  } catch (refused) {
    complain(refused);
  }
  if (!sheets.value.includes(sheet)) return;
  let first = true;
  views.set(
    sheet.id,
    effect(() => {
      const kept = sheet.kept; // reads all signals that it depends on
      if (!first && sheets.value.includes(sheet) && !due.has(sheet)) due.set(sheet, window.setTimeout(() => sendView(sheet), 500));
      first = false;
      return kept && undefined;
    }),
  );
}

function sendView(sheet: Sheet, leaving = false): void {
  clearTimeout(due.get(sheet));
  due.delete(sheet);
  const view = sheet.kept;
  call("PUT", `/api/views/${sheet.id}`, { view }, leaving).catch((refused: Refused) => {
    if (refused.status === 400 || refused.status === 413) {
      const { given, options, goal, watched } = view; // too much: without what was compared, or without the answers
      call("PUT", `/api/views/${sheet.id}`, { view: { ...view, history: [] } }).catch(() =>
        call("PUT", `/api/views/${sheet.id}`, { view: { given, options, goal, watched, view: view.view } }).catch(complain),
      );
    }
  });
}

/** New sheets keep what is shown beside them, too. */
effect(() => {
  for (const sheet of sheets.value) if (!views.has(sheet.id)) {
    views.set(sheet.id, () => undefined);
    void fetchView(sheet);
  }
});

addEventListener("pagehide", () => {
  for (const sheet of [...due.keys()]) sendView(sheet, true);
});

addEventListener("beforeunload", (event) => {
  if (browserFull.value && sheets.value.some((one) => one.unkept.value || waiting.has(one))) event.preventDefault();
});

/** What keeps texts from being kept, in words; empty if nothing does. */
export const unkept = computed(() => {
  const why = sheets.value.find((one) => one.unkept.value)?.unkept.value ?? "";
  if (why && browserFull.value) return `Texts are kept neither by the server (${why}) nor in this browser (${browserFull.value}). Download what you need.`;
  return why ? `The server does not keep your text: ${why} It is kept in this browser, and sent again soon.` : "";
});
