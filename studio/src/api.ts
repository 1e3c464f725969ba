// Talking to the server: requests that are answered at once, and events of work that takes time.

import { signal } from "@preact/signals";
import type { Answers, Errands, Event as Told, Questions } from "./types";

/** What is told of a piece of work. */
export type Event = Told & { id: string };

/** Why the server does not answer, in words; empty if it does. */
export const lost = signal("");
const GONE = "The server cannot be reached. What you type is kept in this browser; start `epistrat studio` again.";
const ANEW = "The server was started anew, with another token. Open the address that it printed; what you typed is kept in this browser.";

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}

const SESSION = "epistrat-session";
const LOCKED = "The studio is locked. Open the address that `epistrat studio` printed: it carries the token.";

/** The secret of the session; storage belongs to scheme, host and port, so no other server of this machine sees it. */
let session = localStorage.getItem(SESSION) ?? "";

/** What stands behind `#` in the address. */
export const fragment = new URLSearchParams(location.hash.slice(1));

/** Exchange the token of the address, which then no longer shows it, for the secret of a session. */
export async function enter(): Promise<void> {
  const token = fragment.get("token");
  if (token !== null) {
    fragment.delete("token");
    history.replaceState(null, "", location.pathname + (fragment.size ? `#${fragment}` : ""));
    const answer = await call<{ session: string }>("POST", "/api/session", { token });
    session = answer.session;
    localStorage.setItem(SESSION, session);
  }
  if (!session) {
    lost.value = LOCKED;
    throw new Refused(401, LOCKED);
  }
}

const authorized = (): Record<string, string> => (session ? { authorization: `Bearer ${session}` } : {});

/** What a refusal says beside its words: the other version of a text, or that its encoding lacks a character. */
export interface Details {
  there?: string;
  version?: string;
  encoding?: boolean;
}

export async function call<T>(method: string, path: string, body?: unknown, keepalive = false): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      keepalive,
      headers: { ...authorized(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    lost.value = GONE;
    throw new Refused(0, "The server cannot be reached. Your text is kept in this browser.");
  }
  lost.value = response.status === 401 ? (session ? ANEW : LOCKED) : "";
  const answer = await response.json().catch(() => ({ error: `The server answered with status ${response.status}.` }));
  if (!response.ok) throw new Refused(response.status, answer.error ?? "The server refused this.", answer as Details);
  return answer as T;
}

export const ask = <K extends keyof Questions>(what: K, body: Questions[K]): Promise<Answers[K]> => call("POST", `/api/ask/${what}`, body);

/** Work that takes time: what is to be done, and what it needs. */
export type Errand = { [K in keyof Errands]: { do: K } & Errands[K] }[keyof Errands];

type Listener = (event: Event) => void;

const listeners = new Map<string, { hear: Listener; again: () => void }>();
let socket: WebSocket | null = null;

function connected(): WebSocket {
  if (socket && socket.readyState <= WebSocket.OPEN) return socket;
  const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/events`, ["epistrat", `session.${session}`]);
  socket = opened;
  opened.onopen = () => {
    lost.value = "";
    for (const [id, one] of listeners) {
      one.again();
      opened.send(JSON.stringify({ follow: id }));
    }
  };
  opened.onmessage = (message) => {
    const event = JSON.parse(message.data) as Event;
    const listener = listeners.get(event.id);
    if (event.event === "over") listeners.delete(event.id);
    listener?.hear(event);
  };
  opened.onclose = () => {
    if (socket === opened) socket = null;
    if (listeners.size) {
      lost.value ||= GONE;
      setTimeout(connected, 1000);
    }
  };
  return opened;
}

/** Begin work and hear of it; `again` is called when everything will be told once more, after the connection was lost. */
export async function begin(what: Errand, hear: Listener, again: () => void): Promise<string> {
  const { id } = await call<{ id: string }>("POST", "/api/errands", what);
  follow(id, hear, again);
  return id;
}

/** Hear of work that was begun before. */
export function follow(id: string, hear: Listener, again: () => void): void {
  listeners.set(id, { hear, again });
  const open = connected();
  if (open.readyState === WebSocket.OPEN) open.send(JSON.stringify({ follow: id }));
}

export const cancel = (id: string): Promise<unknown> => call("DELETE", `/api/errands/${id}`);
