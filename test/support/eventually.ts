import { messageOf } from "#kit/errors.ts";

export interface EventuallyOptions {
  /** Milliseconds until it gives up; 90 s where not told, for machines under load. */
  within?: number;
  /** What the failure prints next to the last error: positions, lags, states. */
  describe?: () => unknown;
}

/** Calls `check` until it returns without throwing, and returns what it returned. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + (options.within ?? 90_000);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) {
        const state = options.describe ? `\n${JSON.stringify(await options.describe())}` : "";
        throw new Error(`still not true: ${messageOf(error)}${state}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
