import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";

/** How often aspects were sent, by name. */
export type Counts = Record<string, number>;

/** What clients of DataHub sent to an instance since the last call: by its metrics, and by its list of unmapped aspects. */
export class SentAspects {
  #before = new Map<string, number>();

  constructor(private readonly instance: () => Instance) {}

  async take(): Promise<Counts> {
    const total = await eventually(() => this.#total());
    const sent = [...total].map(([name, count]) => (
      [name, count - (this.#before.get(name) ?? 0)] as const
    ));
    this.#before = total;
    return Object.fromEntries(sent.filter(([, count]) => count > 0).toSorted());
  }

  async #total(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    let unmapped = 0;
    const text = await (await this.instance().send("GET", "/metrics")).text();
    const line = /^tributary_datahub_aspects_total\{aspect="(\w+)",outcome="(\w+)"\} (\d+)/gm;
    for (const [, aspect, outcome, count] of text.matchAll(line)) {
      if (outcome === "stored") unmapped += Number(count);
      else counts.set(nameOf(aspect!, outcome!), Number(count));
    }
    const path = "/api/openlineage/complaints?namespace=datahub&limit=1000";
    const { items } = await this.instance().json(path) as {
      items: { kind: string; name: string; count: number }[];
    };
    for (const { kind, name, count } of items) {
      if (kind === "not_mapped") counts.set(name, (counts.get(name) ?? 0) + count);
      if (kind === "not_mapped") unmapped -= count;
    }
    if (unmapped !== 0) throw new Error(`${unmapped} aspects are not listed yet`);
    return counts;
  }
}

/** Aspects that are the key of an entity are counted together. */
function nameOf(aspect: string, outcome: string): string {
  if (outcome === "rejected") return "rejected";
  return aspect === "other" ? "*Key" : aspect;
}
