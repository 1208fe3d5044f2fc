import { AppError } from "#kit/errors.ts";

/** Seconds after which a client with too many requests may retry. */
const retryAfter = 1;

/** Limits the concurrent requests of each remote address. */
export class AddressShares {
  readonly #running = new Map<string, number>();

  /** `max`: concurrent requests per address; 0: no limit. */
  constructor(private readonly max: number) {}

  /** Runs the work of a request; 429 when its address has too many running. */
  async during<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.max === 0 || address === undefined) return await work();
    const running = this.#running.get(address) ?? 0;
    if (running >= this.max) {
      throw new AppError(
        `More than ${this.max} requests of one address (server.max-requests-per-address)`,
        { status: 429, code: "SYS002", retryable: true, retryAfter },
      );
    }
    this.#running.set(address, running + 1);
    try {
      return await work();
    } finally {
      const left = this.#running.get(address)! - 1;
      if (left > 0) this.#running.set(address, left);
      else this.#running.delete(address);
    }
  }
}
