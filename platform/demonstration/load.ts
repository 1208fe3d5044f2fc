import { scheduler } from "./catalogue/jobs.ts";
import { catalogue } from "./catalogue/mod.ts";
import { shopBefore, shopTable } from "./catalogue/shop.ts";
import { changeLineage } from "./change.ts";
import type { DemonstrationClient } from "./client.ts";
import { postOpenLineageEvents } from "./openlineage.ts";
import { writePeople } from "./people/write.ts";

/** Reports progress: completed steps, their total, and the next step. */
export type Progress = (done: number, total: number, next: string) => Promise<void> | void;

/** In addition to the sources: what OpenLineage, people and a changed job add. */
const furtherSteps = 3;

/**
 * Loads the catalogue of the demonstration: its sources by ingestion, events of OpenLineage, what people wrote, and a change
 * of lineage. It may run again: then what was before is there already. `print` hears what came of each part.
 */
export async function loadDemonstration(
  client: DemonstrationClient,
  { now, print, progress = () => {} }: {
    /** Milliseconds since 1970. */
    now: number;
    print: (line: string) => void;
    progress?: Progress;
  },
): Promise<void> {
  const isKnown = await client.find(shopTable("orders")).then(() => true, () => false);
  const sources = catalogue(now, { before: !isKnown });
  const total = sources.length + furtherSteps;
  await client.registerSources(sources);
  if (!isKnown) await client.post(shopBefore());
  let items = 0;
  for (const [done, source] of sources.entries()) {
    await progress(done, total, source.name);
    const state = await client.post(source);
    items += source.items.length;
    print(`${source.name.padEnd(20)} ${String(source.items.length).padStart(4)} items  ${state}`);
  }
  print(`${items} items from ${sources.length} sources are in the catalogue.`);
  await progress(sources.length, total, "Events of OpenLineage");
  await postOpenLineageEvents(client, now, print);
  await progress(sources.length + 1, total, "Terms, descriptions, owners and queries");
  await writePeople(client, print);
  await progress(sources.length + 2, total, "A change of lineage");
  if (!isKnown) await changeLineage(client, scheduler(now), print);
  await progress(total, total, "");
}
