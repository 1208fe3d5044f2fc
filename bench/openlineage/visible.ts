import { setTimeout as pause } from "node:timers/promises";
import type { Subject } from "../support/subject.ts";
import type { EventFixture } from "./events.ts";
import * as sql from "./queries.ts";

const withinMs = 600_000;
const pollMs = 10;

/**
 * CATRNs that are looked for at once, `first` before any is known to be there: looking must take nothing from what is
 * measured.
 */
const probes = { max: 200, first: 1 };

/** Resolves when the catalogue holds all that the events tell of, and each run is SUCCESS. */
export async function visible(subject: Subject, { entities, runs }: EventFixture): Promise<void> {
  await allOf(subject, sql.firstEntityMissing, entities);
  await allOf(subject, sql.firstRunMissing, runs);
}

/** How many events were merged so far, those that came again included. */
export async function mergedEvents({ url }: Subject): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^tributary_openlineage_events_merged_total (\d+)/m.exec(text);
  if (!found) throw new Error("its metrics do not tell how many events were merged");
  return Number(found[1]);
}

/** Resolves when so many events were merged, and nothing waits to be composed. */
export async function merged(subject: Subject, events: number): Promise<void> {
  await until(subject, async () => await mergedEvents(subject) >= events);
  await composed(subject);
}

/** Resolves when nothing waits to be composed. */
export async function composed(subject: Subject): Promise<void> {
  await until(subject, async () => (await subject.db.query(sql.dirty)).length === 0);
}

/** Waits for each of the CATRNs in turn: what was seen once is not asked for again. */
async function allOf(subject: Subject, text: string, catrns: string[]): Promise<void> {
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

async function until(subject: Subject, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`not visible in time; it said: ${subject.said()}`);
    await pause(pollMs);
  }
}
