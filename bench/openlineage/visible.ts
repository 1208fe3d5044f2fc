import type { Subject } from "../support/subject.ts";
import { allOf, until } from "../support/until.ts";
import type { EventFixture } from "./events.ts";
import * as sql from "./queries.ts";

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
