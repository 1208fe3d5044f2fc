import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestionBatches } from "#contract/topics.ts";
import { callCatrn, subjectCatrn } from "#services/trace-gateway/publisher/subjects.ts";
import { publisherLease } from "#services/trace-gateway/publisher/worker.ts";
import { eventually } from "#test/support/eventually.ts";
import { newId, otlpBytes, type TestResource } from "#test/support/traces/otlp.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { type GatewayProcess, startTraceStack, type TraceStack } from "./traces-stack.ts";

/** Caller and callee. */
type Call = [string, string];

const unassigned = 1;
const deleted = 5;

describe("services in the catalogue while their publishers are ill-treated", () => {
  let stack: TraceStack;
  let ingest: ServiceProcess;
  /** All of them are seen again and again. */
  const calls: Call[] = [];
  let over = false;
  let traffic: Promise<void>;
  beforeAll(async () => {
    stack = await startTraceStack("embedded", {
      TRACES_PUBLISH_INTERVAL: "200 ms",
      TRACES_WINDOW: "2 s",
    });
    ingest = await startService({ service: "ingest-consumer", env: stack.env });
    traffic = send(stack.gateways, calls, () => over);
  });
  afterAll(async () => {
    over = true;
    await traffic;
    await ingest?.kill();
    await stack?.close();
  });

  const db = () => stack.observer.db;
  const published = (within = 40_000) =>
    eventually(async () => {
      const edges = await db().query<{ edge: string }>(
        `SELECT p.catrn || ' > ' || c.catrn AS edge FROM lineage_edge l
           JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
          WHERE l.live`,
      );
      expect(edges.map(({ edge }) => edge).sort()).toEqual(edgesOf(calls));
      const left = "SELECT 1 FROM service_change UNION ALL " +
        "SELECT 1 FROM service_entity WHERE state <> 'live'";
      expect(await db().query(left)).toEqual([]);
    }, { within });

  it(
    "services change while leaders die and sleep: in the end each has all of its edges",
    async () => {
      const { gateways } = stack;
      for (let round = 0; round < 4; round++) {
        calls.push([`web${round}`, `shop${round}`], [`shop${round}`, "pay"], [
          "web0",
          `new${round}`,
        ]);
        await eventually(() => seen(stack, `new${round}`));
        const leader = await leading(stack);
        if (round % 2 === 0) await leader.kill();
        else await leader.pause();
        calls.push([`late${round}`, "pay"]);
        await db().query(
          "UPDATE lease SET expires_at = now() - interval '1 second' WHERE name = $1",
          [
            publisherLease,
          ],
        );
        const taken = async () => expect((await leading(stack)).name).not.toBe(leader.name);
        await eventually(taken);
        if (round % 2 === 0) await leader.start();
        else leader.resume();
      }
      await published(60_000);
      for (const gateway of gateways) {
        expect(gateway.ends(), gateway.output().slice(-20).join("\n")).toBe(0);
      }
    },
  );

  it("steady traffic publishes no batch", async () => {
    await published();
    const [before, counted] = [await batches(stack), await callsOf(stack)];
    await eventually(async () => {
      expect(await callsOf(stack)).toBeGreaterThan(counted + 10 * calls.length);
    });
    expect(await batches(stack)).toBe(before);
  });

  it(
    "an edge that is not seen for its time is gone, and its service DELETED until it is seen again",
    async () => {
      const last = calls.splice(calls.findIndex(([caller]) => caller === "late1"), 1);
      const status = async () => {
        const [row] = await db().query("SELECT status FROM data_entity WHERE catrn = $1", [
          subjectCatrn({ kind: "service", namespace: null, name: "late1" }),
        ]);
        return row?.status;
      };
      expect(await status()).toBe(unassigned);
      // Again and again, since spans of it may still be on their way.
      await eventually(async () => {
        await db().query(
          `UPDATE service_edge SET last_seen = now() - interval '8 days'
            WHERE service_name = 'late1'`,
        );
        expect(await status()).toBe(deleted);
      });
      await published();
      calls.push(...last);
      await published();
      expect(await status()).toBe(unassigned);
    },
  );
});

/** Sends every call again and again, each time in traces of their own, to whoever takes it. */
async function send(
  gateways: GatewayProcess[],
  calls: Call[],
  over: () => boolean,
): Promise<void> {
  for (let turn = 0; !over(); turn++) {
    const gateway = gateways[turn % gateways.length]!;
    if (calls.length > 0) {
      await fetch(`${gateway.http}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/x-protobuf" },
        body: otlpBytes(calls.flatMap(spansOf)),
        signal: AbortSignal.timeout(2_000),
      }).then((response) => response.body?.cancel(), () => {});
    }
    await new Promise((soon) => setTimeout(soon, 100));
  }
}

function spansOf([caller, callee]: Call): TestResource[] {
  const [traceId, spanId] = [newId(16), newId(8)];
  const attributes = { "http.request.method": "GET", "http.route": "/work" };
  return [
    { resource: { "service.name": caller }, spans: [{ traceId, spanId, kind: 3, attributes }] },
    {
      resource: { "service.name": callee },
      spans: [{ traceId, parentSpanId: spanId, kind: 2, attributes }],
    },
  ];
}

/** Lineage that calls make: callee > call > caller. */
function edgesOf(calls: Call[]): string[] {
  const subject = (name: string) => ({ kind: "service" as const, namespace: null, name });
  const edges = calls.flatMap(([caller, callee]) => {
    const call = callCatrn(subject(callee), "GET /work");
    return [
      `${subjectCatrn(subject(callee))} > ${call}`,
      `${call} > ${subjectCatrn(subject(caller))}`,
    ];
  });
  return [...new Set(edges)].sort();
}

/** Throws until an edge to that service was counted. */
async function seen({ observer: { db } }: TraceStack, callee: string): Promise<void> {
  const sql = "SELECT 1 FROM service_edge WHERE peer_name = $1";
  expect(await db.query(sql, [callee])).toHaveLength(1);
}

async function leading({ observer: { db }, gateways }: TraceStack): Promise<GatewayProcess> {
  return await eventually(async () => {
    const [row] = await db.query<{ holder: string }>(
      "SELECT holder FROM lease WHERE name = $1 AND expires_at > now()",
      [publisherLease],
    );
    const found = gateways.find((gateway) =>
      gateway.pid() > 0 && row?.holder.startsWith(`${hostname()}:${gateway.pid()}:`)
    );
    if (!found) throw new Error(`nobody of ours leads but ${row?.holder}`);
    return found;
  });
}

/** Records of the topic of batches. */
async function batches({ observer: { events } }: TraceStack): Promise<number> {
  const bounds = await events.bounds(ingestionBatches);
  return bounds.reduce((sum, { end }) => sum + end, 0);
}

async function callsOf({ observer: { db } }: TraceStack): Promise<number> {
  const [row] = await db.query<{ calls: number }>(
    "SELECT coalesce(sum(calls), 0)::bigint AS calls FROM service_edge",
  );
  return row!.calls;
}
