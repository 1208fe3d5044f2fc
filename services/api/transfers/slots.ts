import { unavailable } from "#kit/errors.ts";

/** Bounds how many things that take long run at once in this process. */
export class Slots {
  #free: number;

  /** `what` they are, as the refusal calls them. */
  constructor(max: number, private readonly what: string) {
    this.#free = max;
  }

  /** Takes one; returns how to give it back. Throws 503 when none is free. */
  take(): () => void {
    if (this.#free === 0) throw unavailable(`Too many ${this.what} are running`, 5);
    this.#free--;
    let given = false;
    return () => {
      if (!given) this.#free++;
      given = true;
    };
  }
}
