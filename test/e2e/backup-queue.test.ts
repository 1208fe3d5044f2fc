import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { apiService } from "#services/api/service.ts";
import { batch, emptyDatabase, machines, post, source, table } from "#test/support/backup.ts";
import { startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { oneSetBySize } from "#test/support/engines/sets-by-size.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-backup-queue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { onDisk, backUp, restore } = machines(folder);

describe.each(oneSetBySize())("a backup of what is not applied yet, %s engines", (set) => {
  it("holds batches that were answered as queued; the restored instance applies them", async () => {
    const machine = `${set}-queue`;
    const first = await startInstance(set, {
      services: [apiService],
      config: { ...onDisk(machine), ingestion: { "ack-timeout": "50 ms" } },
    });
    await first.send("POST", "/ingestion/datasources", { items: [{ catrn: source, name: "S" }] });
    expect(await post(first, 1)).toBe("queued");
    // As a collector writes that knows the log: named by its position.
    const value = new TextEncoder().encode(JSON.stringify(batch(2)));
    const direct = [{ key: source, value, headers: {} }];
    const [at] = await first.events.publish("ingestion.batches", direct, { timeoutMs: 10_000 });
    await backUp(set, first.test, machine, `${set}-2`);
    await first.stop();
    const empty = await emptyDatabase();
    await restore(set, empty, `${machine}-restored`, `${set}-2`);
    const second = await startInstance(set, {
      sharedDatabase: empty,
      config: onDisk(`${machine}-restored`),
    });
    const catrns = async () =>
      (await empty.db.query<{ catrn: string }>(
        "SELECT catrn FROM data_entity WHERE catrn LIKE $1 AND NOT hollow ORDER BY catrn",
        [`${source}/tables/%`],
      )).map(({ catrn }) => catrn);
    await eventually(async () => expect(await catrns()).toEqual([table(1), table(2)]));
    // A record at the same position of the new log is another batch.
    const later = { key: source, value: new TextEncoder().encode(JSON.stringify(batch(3))) };
    const { partition } = at!;
    const fill = () =>
      second.events.publish("ingestion.batches", [{ ...later, headers: {}, partition }], {
        timeoutMs: 10_000,
      });
    await fill();
    await eventually(async () => expect(await catrns()).toEqual([1, 2, 3].map(table)));
    await second.stop();
    await empty.drop();
  });
});
