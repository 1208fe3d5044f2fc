import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadEvent, readRecord } from "#contract/openlineage/record.ts";
import { openlineageEvents } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { apiService } from "#services/api/service.ts";
import type { Instance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { emitByPython, installPythonClient } from "#test/support/openlineage/clients.ts";
import { startGuardedIntake } from "#test/support/openlineage/guarded-intake.ts";

/** The events of this job namespace, and dataset events, that are in the log. */
async function eventsOf(events: EventLog, namespace: string): Promise<ReadEvent[]> {
  const found: ReadEvent[] = [];
  for (const { partition, start, end } of await events.bounds(openlineageEvents)) {
    const range = { partition, from: start, to: end, limit: 10_000 };
    for (const record of await events.read(openlineageEvents, range)) {
      const read = readRecord(record, Date.now());
      const { event } = read;
      if (event.kind !== "dataset" && event.job.namespace === namespace) found.push(read);
    }
  }
  return found;
}

describe("openlineage-python, unmodified", () => {
  let instance: Instance;
  let token: string;
  const runs = 20;

  beforeAll(async () => {
    installPythonClient();
    ({ instance, token } = await startGuardedIntake([apiService]));
  });
  afterAll(() => instance?.stop());

  it.each([
    ["http", () => ({ OPENLINEAGE_URL: instance.url, OPENLINEAGE_API_KEY: token })],
    ["gzip", () => ({ ...transport("http"), OPENLINEAGE__TRANSPORT__COMPRESSION: "gzip" })],
    ["async", () => transport("async_http")],
  ])("by %s", async (how, env) => {
    await emitByPython(env(), how, runs);
    await eventually(async () => {
      const read = await eventsOf(instance.events, how);
      expect(read).toHaveLength(2 * runs + 1);
      expect(read.flatMap(({ warnings }) => warnings)).toEqual([]);
      const ends = read.filter(({ event }) =>
        event.kind === "run" && event.eventType === "COMPLETE" &&
        event.outputs?.[0]?.facets.columnLineage !== undefined
      );
      expect(ends).toHaveLength(runs);
      expect(read.filter(({ event }) => event.kind === "job")).toHaveLength(1);
    });
  });

  it("without its token is refused", async () => {
    const env = { OPENLINEAGE_URL: instance.url };
    await expect(emitByPython(env, "stranger", 1)).rejects.toThrow("401");
  });

  const transport = (type: string) => ({
    OPENLINEAGE__TRANSPORT__TYPE: type,
    OPENLINEAGE__TRANSPORT__URL: instance.url,
    OPENLINEAGE__TRANSPORT__AUTH: JSON.stringify({ type: "api_key", apiKey: token }),
  });
});
