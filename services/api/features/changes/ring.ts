import { type Cursor, isAfter } from "#services/api/features/changes/cursor.ts";
import type { ChangeMessage } from "#services/api/features/changes/events.ts";

/** What a reader at a place is given: changes after it, and the place where it then is. */
export interface Portion {
  changes: ChangeMessage[];
  upTo: Cursor;
}

/** The newest changes, for readers who are near the end. */
export class RingBuffer {
  #items: ChangeMessage[] = [];
  #floor: Cursor;
  #position: Cursor;

  constructor(private readonly max: number, from: Cursor) {
    this.#floor = from;
    this.#position = from;
  }

  /** Up to here everything is known. */
  get position(): Cursor {
    return this.#position;
  }

  add(changes: ChangeMessage[], position: Cursor): void {
    this.#items.push(...changes);
    this.#position = position;
    const surplus = this.#items.length - this.max;
    if (surplus > 0) this.#floor = this.#items.splice(0, surplus).at(-1)!.at;
  }

  /** At most `max` changes after a cursor; undefined when some after it are not buffered any more. */
  after(cursor: Cursor, max: number): Portion | undefined {
    if (isAfter(this.#floor, cursor)) return undefined;
    // A place beyond ours was given by a replica that had read further.
    if (!isAfter(this.#position, cursor)) return { changes: [], upTo: cursor };
    const first = this.#items.findIndex(({ at }) => isAfter(at, cursor));
    const changes = first < 0 ? [] : this.#items.slice(first, first + max);
    const whole = first < 0 || first + max >= this.#items.length;
    return { changes, upTo: whole ? this.#position : changes.at(-1)!.at };
  }
}
