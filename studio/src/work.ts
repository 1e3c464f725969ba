// Work that takes time: whether it is under way, what it does, how it ended.

import { batch, signal } from "@preact/signals";
import { begin, cancel, follow, type Errand, type Event } from "./api";

export interface Ending {
  how: string;
  reason: string;
  seconds: number;
}

export class Work {
  readonly id = signal<string | null>(null);
  readonly running = signal(false);
  readonly progress = signal("");
  readonly at = signal<[number, number]>([0, 0]);
  readonly ending = signal<Ending | null>(null);
  /** Whether it was cancelled before the server had said what it is called. */
  private unwanted = false;

  /** Begin; `reset` is called whenever everything is going to be told from the beginning. */
  async begin(what: Errand, hear: (event: Event) => void, reset: () => void): Promise<void> {
    if (this.running.value) return;
    this.unwanted = false;
    const clear = this.clearing(reset);
    clear();
    try {
      this.id.value = await begin(what, (event) => this.hear(event, hear), clear);
      if (this.unwanted) await cancel(this.id.value);
    } catch (refused) {
      this.running.value = false;
      this.ending.value = { how: "refused", reason: (refused as Error).message, seconds: 0 };
    }
  }

  /** Hear of work that was begun before the page was loaded. */
  adopt(id: string, hear: (event: Event) => void, reset: () => void): void {
    const clear = this.clearing(reset);
    clear();
    this.id.value = id;
    follow(id, (event) => this.hear(event, hear), clear);
  }

  private clearing(reset: () => void): () => void {
    return () =>
      batch(() => {
        reset();
        this.running.value = true;
        this.progress.value = "";
        this.at.value = [0, 0];
        this.ending.value = null;
      });
  }

  private hear(event: Event, hear: (event: Event) => void): void {
    batch(() => {
      if (event.event === "waiting") this.progress.value = "waiting for its turn";
      if (event.event === "started") this.progress.value = "starting";
      if (event.event === "progress") {
        this.progress.value = event.text;
        this.at.value = [event.number, event.of];
      }
      if (event.event === "finished") this.ending.value = { how: event.how, reason: event.reason, seconds: event.seconds ?? 0 };
      if (event.event === "over") {
        this.running.value = false;
        this.id.value = null;
      }
      hear(event);
    });
  }

  /** Ask for an end; who refuses it is told. */
  async stop(): Promise<void> {
    if (!this.running.value) return;
    this.progress.value = "stopping";
    if (!this.id.value) return void (this.unwanted = true);
    await cancel(this.id.value);
  }
}
