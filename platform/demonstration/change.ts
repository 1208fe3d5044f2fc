import { setTimeout as sleep } from "node:timers/promises";
import { churn } from "./catalogue/jobs.ts";
import type { Source } from "./catalogue/items.ts";
import type { DemonstrationClient } from "./client.ts";

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
export async function changeLineage(
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
