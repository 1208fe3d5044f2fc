import { unavailable } from "#kit/errors.ts";
import { maxTransfers } from "../limits.ts";

/** Slots for imports and exports, so few that they leave most of these connections to others. */
export function transferSlots(connections: number): Slots {
  return new Slots(Math.max(1, Math.min(maxTransfers, Math.floor(connections / 4))));
}

/** Bounds how many things that hold a connection for long run at once in this process. */
export class Slots {
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Takes one; returns how to give it back. Throws 503 when none is free. */
  take(): () => void {
    if (this.#free === 0) {
      throw unavailable("Too many imports and exports of lookup tables are running", 5);
    }
    this.#free--;
    let given = false;
    return () => {
      if (!given) this.#free++;
      given = true;
    };
  }
}
