import { maxHints } from "./limits.ts";

/** Entities that changed in this process and have still to be looked at; they are lost with it, and then swept for. */
export class Hints {
  #ids = new Set<number>();
  #overflowed = false;

  /** `changed` is called with the number that wait. */
  constructor(
    private readonly changed: (waiting: number) => void,
    private readonly max = maxHints,
  ) {}

  add(ids: number[]): void {
    for (const id of ids) {
      if (this.#ids.size >= this.max) this.#overflowed = true;
      else this.#ids.add(id);
    }
    this.changed(this.#ids.size);
  }

  /** Empties them; null when there were too many, and everything has to be looked at. */
  take(): number[] | null {
    const taken = this.#overflowed ? null : [...this.#ids];
    this.#ids = new Set();
    this.#overflowed = false;
    this.changed(0);
    return taken;
  }
}
