import { backoff } from "#kit/retry.ts";
import type { Clock } from "#kit/clock.ts";

export interface RecorderOptions<T> {
  clock: Clock;
  /** Writes all of a batch, or rejects. */
  write: (batch: T[]) => Promise<void>;
  /** Resolves when it is worth no more to wait for further items of a batch. */
  gathered: () => Promise<void>;
  /** Called for each failure. */
  onFailure: (error: unknown) => void;
}

/**
 * Writes what is given to it in batches: all that came while the last batch was being written and more was expected. A
 * batch that fails is written again, together with what came meanwhile.
 */
export class Recorder<T> {
  #waiting: { item: T; written: () => void }[] = [];
  #running = false;
  #closed = new AbortController();

  constructor(private readonly options: RecorderOptions<T>) {}

  /** Resolves once it is written, or was abandoned. */
  add(item: T): Promise<void> {
    const done = new Promise<void>((written) => this.#waiting.push({ item, written }));
    if (!this.#running) void this.#run();
    return done;
  }

  open(): void {
    this.#closed = new AbortController();
  }

  /** Drops what is not written yet, and what comes later. */
  close(): void {
    this.#closed.abort();
    this.#giveUp();
  }

  async #run(): Promise<void> {
    const { clock, write, onFailure, gathered } = this.options;
    const closed = this.#closed.signal;
    this.#running = true;
    for (let failures = 0; this.#waiting.length > 0 && !closed.aborted;) {
      await gathered();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await write(batch.map(({ item }) => item));
        for (const { written } of batch) written();
        failures = 0;
      } catch (error) {
        this.#waiting = batch.concat(this.#waiting);
        onFailure(error);
        await clock.sleep(backoff(++failures, { initial: 50, max: 1_000 }), closed);
      }
    }
    this.#running = false;
    if (closed.aborted) this.#giveUp();
  }

  #giveUp(): void {
    for (const { written } of this.#waiting.splice(0)) written();
  }
}
