import { setTimeout as sleep } from "node:timers/promises";
import { churn, scheduler, schedulerBefore, tests } from "./catalogue/jobs.ts";
import { shop, shopBefore, shopTable } from "./catalogue/shop.ts";
import type { DemonstrationClient } from "./client.ts";
import { postOpenLineageEvents } from "./openlineage.ts";
import { writePeople } from "./people.ts";
import { dashboards, events, experiments } from "./catalogue/consumers.ts";
import type { Source } from "./catalogue/items.ts";
import { warehouse } from "./catalogue/warehouse.ts";

/** Reports progress: completed steps, their total, and the next step. */
type Progress = (done: number, total: number, next: string) => Promise<void> | void;

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

/**
 * The demonstration catalogue, one entry per source; times of runs are relative to `now` (milliseconds). `before`: as it
 * was before its change.
 */
function catalogue(now: number, { before = false } = {}): Source[] {
  return [
    shop(),
    warehouse(),
    before ? schedulerBefore(now) : scheduler(now),
    tests(now),
    events(),
    experiments(),
    dashboards(),
  ];
}

/** How often, a quarter of a second apart, the catalogue is asked whether it holds the change. */
const maxAttempts = 40;

/** Further back than this the change cannot lie, whatever the clocks of two machines say. */
const tenMinutes = 10 * 60_000;

interface Change {
  at: string;
  change: "added" | "removed";
  source: { catrn: string };
  establisher: { catrn: string };
}

interface Diff {
  nodes: { id: number; external_name: string | null; catrn: string }[];
  edges: { source_id: number; target_id: number; change: string }[];
}

/**
 * Lets the build of the churn features read its new input, and prints what changed. The API accepts no
 * times, so this happens now, after everything else: the catalogue gets a real past.
 */
async function changeLineage(
  client: DemonstrationClient,
  scheduler: Source,
  print: (line: string) => void,
): Promise<void> {
  await client.post({
    ...scheduler,
    items: scheduler.items.filter(({ catrn }) => catrn === churn.job),
  });
  const at = await timeOfChange(client);
  print("");
  if (at === undefined) return print("The change of mrt_churn_features is still on its way.");
  const root = await client.find(churn.mart);
  const query = new URLSearchParams({
    lineage_depth: "2",
    from: new Date(Date.parse(at) - 1).toISOString(),
  });
  const path = `/api/dataentities/${root.id}/lineage/upstream/diff?${query}`;
  const { nodes, edges }: Diff = await client.ask("GET", path);
  const names = new Map(nodes.map((node) => [node.id, node.external_name ?? node.catrn]));
  print(`What has changed in what ${root.external_name} is made of, since ${at}?`);
  for (const { source_id, target_id, change } of edges) {
    const sign = change === "added" || change === "reached" ? "+" : "−";
    print(`  ${sign} ${names.get(source_id)} → ${names.get(target_id)}`);
  }
}

/** When the catalogue came to hold the change; undefined when it does not yet. */
async function timeOfChange(client: DemonstrationClient): Promise<string | undefined> {
  const from = new Date(Date.now() - tenMinutes).toISOString();
  const path = `/api/lineage/changes?${new URLSearchParams({ from, size: "100" })}`;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const list = await client.ask("GET", path, undefined, [400]);
    const begun = (list?.items as Change[] | undefined)?.find(({ change, source, establisher }) =>
      change === "added" && source.catrn === churn.input && establisher.catrn === churn.job
    );
    if (begun) return begun.at;
    await sleep(250);
  }
  return undefined;
}
