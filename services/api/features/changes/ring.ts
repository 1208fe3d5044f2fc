import { type Cursor, isAfter } from "#services/api/features/changes/cursor.ts";
import type { Told } from "#services/api/features/changes/events.ts";

/** What a reader at a place is given: changes after it, and the place where it then is. */
export interface Portion {
  changes: Told[];
  upTo: Cursor;
}

/** The newest changes, for readers who are near the end. */
export class Ring {
  #held: Told[] = [];
  #floor: Cursor;
  #position: Cursor;

  constructor(private readonly most: number, from: Cursor) {
    this.#floor = from;
    this.#position = from;
  }

  /** Up to here everything is known. */
  get position(): Cursor {
    return this.#position;
  }

  add(changes: Told[], position: Cursor): void {
    this.#held.push(...changes);
    this.#position = position;
    const surplus = this.#held.length - this.most;
    if (surplus > 0) this.#floor = this.#held.splice(0, surplus).at(-1)!.at;
  }

  /** At most `most` changes after a place; undefined when some after it are not held any more. */
  after(cursor: Cursor, most: number): Portion | undefined {
    if (isAfter(this.#floor, cursor)) return undefined;
    // A place beyond ours was given by a replica that had read further.
    if (!isAfter(this.#position, cursor)) return { changes: [], upTo: cursor };
    const first = this.#held.findIndex(({ at }) => isAfter(at, cursor));
    const changes = first < 0 ? [] : this.#held.slice(first, first + most);
    const whole = first < 0 || first + most >= this.#held.length;
    return { changes, upTo: whole ? this.#position : changes.at(-1)!.at };
  }
}
