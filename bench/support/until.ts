import { setTimeout as pause } from "node:timers/promises";
import type { Subject } from "./subject.ts";

const withinMs = 600_000;
const pollMs = 10;

/**
 * CATRNs that are looked for at once, `first` before any is known to be there: looking must take nothing from what is
 * measured.
 */
const probes = { max: 200, first: 1 };

/**
 * Waits for each of the CATRNs in turn: what was seen once is not asked for again. `text`: a statement that returns `at`,
 * the place of the first that is not there yet.
 */
export async function allOf(subject: Subject, text: string, catrns: string[]): Promise<void> {
  let rest = catrns;
  await until(subject, async () => {
    for (let count = probes.first; rest.length > 0; count = probes.max) {
      const some = rest.slice(0, count);
      const [row] = await subject.db.query<{ at: number }>(text, [some]);
      rest = rest.slice(row ? row.at - 1 : some.length);
      if (row) return false;
    }
    return true;
  });
}

/** Resolves when `holds` does. */
export async function until(subject: Subject, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`not visible in time; it said: ${subject.said()}`);
    await pause(pollMs);
  }
}
