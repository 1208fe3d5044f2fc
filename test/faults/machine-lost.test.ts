import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { asCommand, emptyDatabase, machines } from "#test/support/backup.ts";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { seeded } from "#test/support/random.ts";
import { expectHolds } from "./holds.ts";
import { type Item, type Model, Rounds } from "./producer.ts";
import { settled } from "./stack.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-machine-lost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { onDisk, backUp, restore } = machines(folder);

/** Batches of each collector before, during and after the backup. */
const rounds = 15;

/** A collector that remembers which batches the catalogue acknowledged, as one does that can read its source again. */
class Collector {
  readonly bodies: { source: string; items: Item[] }[] = [];
  readonly #rounds: Rounds;

  constructor(private readonly source: string, sources: string[], seed: number) {
    this.#rounds = new Rounds(source, sources, seeded(seed));
  }

  async post(instance: Instance): Promise<void> {
    const body = { source: this.source, items: this.#rounds.next() };
    this.bodies.push(body);
    await send(instance, body);
  }

  into(model: Model): void {
    this.#rounds.into(model);
  }
}

async function send(instance: Instance, { source, items }: Collector["bodies"][number]) {
  const body = { data_source_catrn: source, items };
  const response = await instance.send("POST", "/ingestion/entities", body);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
}

describe.each(engineSets())(
  "a machine is lost after a backup under ingestion, %s engines",
  (set) => {
    it("an empty one takes the backup and what collectors post again: nothing is lost, nothing twice", async () => {
      const sources = ["a", "b"].map((name) => `//lost/${set}/${name}`);
      const collectors = sources.map((source, at) => new Collector(source, sources, 31 + at));
      const first = await startInstance(set, { config: onDisk(`${set}-first`) });
      const items = sources.map((catrn) => ({ catrn, name: catrn }));
      await first.send("POST", "/ingestion/datasources", { items });
      const postRounds = (instance: Instance) =>
        Promise.all(collectors.map(async (collector) => {
          for (let n = 0; n < rounds; n++) await collector.post(instance);
        }));
      await postRounds(first);
      const acknowledged = collectors.map(({ bodies }) => bodies.length);
      const posting = postRounds(first);
      await backUp(set, first.test, `${set}-first`, set);
      await posting;
      await postRounds(first);
      // Nothing of the machine is looked at any more.
      await first.stop();

      const empty = await emptyDatabase();
      onTestFinished(() => empty.drop());
      await restore(set, empty, `${set}-second`, set);
      const config = onDisk(`${set}-second`);
      const second = await startInstance(set, { sharedDatabase: empty, config });
      onTestFinished(() => second.stop());
      await eventually(async () => {
        const tables = await empty.db.query<{ catrn: string }>("SELECT catrn FROM data_entity");
        const found = new Set(tables.map(({ catrn }) => catrn));
        const missing = collectors.flatMap(({ bodies }, at) =>
          bodies.slice(0, acknowledged[at]).flatMap(({ items }) => items)
        ).filter(({ catrn }) => !found.has(catrn));
        expect(missing).toEqual([]);
      });
      // What was acknowledged after the backup began is posted again, in its order, with what is new.
      await Promise.all(collectors.map(async (collector, at) => {
        for (const body of collector.bodies.slice(acknowledged[at])) await send(second, body);
        for (let n = 0; n < rounds; n++) await collector.post(second);
      }));
      const model: Model = { names: new Map(), edges: new Set() };
      for (const collector of collectors) collector.into(model);
      await asCommand(set, empty, config, async (context) => {
        await settled({ context, close: () => Promise.resolve() });
        await expectHolds(context.db, model, `//lost/${set}/`);
      });
    });
  },
);
