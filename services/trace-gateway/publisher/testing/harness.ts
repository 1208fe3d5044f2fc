import { createHash } from "node:crypto";
import { ingestionBatches, topics } from "#contract/topics.ts";
import { createEventLog } from "#platform/adapters.ts";
import { maxRemovals, publishRemovals } from "#platform/composed-source/removals.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { type Lease, leasedDatabase, Leases } from "#metadata/postgres/leases.ts";
import { Wakeups } from "#metadata/postgres/wakeups.ts";
import { Config } from "#platform/config/schema.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { testContext } from "#test/support/http/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type PublisherContext, publisherDeps } from "../deps.ts";
import { leaseMs, publishAll, publisherLease } from "../worker.ts";

/** An edge as workers write it; a day old by default. */
export interface TestEdge {
  kind?: "call" | "database" | "topic";
  service?: string | null;
  namespace?: string | null;
  version?: string | null;
  peer?: string;
  peerKind?: "service" | "host";
  peerNamespace?: string | null;
  peerVersion?: string | null;
  operation?: string;
  system?: string;
  address?: string | null;
  database?: string | null;
  target?: string | null;
  access?: "read" | "write";
  seen?: Date;
}

const columns = `key, kind, service_namespace, service_name, service_version, peer_kind,
  peer_namespace, peer_name, peer_version, operation, system, address, database, target, access,
  first_seen, last_seen`;

/** Merges one edge as a worker does. */
export async function seeEdge(db: Database, edge: TestEdge): Promise<void> {
  const { kind = "call", service = null, namespace = null, seen = new Date() } = edge;
  const identity = [kind, namespace, service, edge.peerKind, edge.peerNamespace, edge.peer];
  const place = [
    edge.operation,
    edge.system,
    edge.address,
    edge.database,
    edge.target,
    edge.access,
  ];
  const key = createHash("sha256").update(JSON.stringify([...identity, ...place])).digest();
  const peerKind = edge.peer === undefined ? null : edge.peerKind ?? "service";
  await db.query(
    `INSERT INTO service_edge AS e (${columns})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
     ON CONFLICT (key) DO UPDATE SET calls = e.calls + 1, last_seen = excluded.last_seen,
       service_version = excluded.service_version, peer_version = excluded.peer_version`,
    [
      key,
      kind,
      namespace,
      service,
      edge.version ?? null,
      peerKind,
      edge.peerNamespace ?? null,
      edge.peer ?? null,
      edge.peerVersion ?? null,
      edge.operation ?? null,
      edge.system ?? null,
      edge.address ?? null,
      edge.database ?? null,
      edge.target ?? null,
      edge.access ?? null,
      seen.toISOString(),
    ],
  );
}

/** An item of a batch in the log. */
export interface PostedItem {
  catrn: string;
  name: string;
  type: string;
  metadata: { metadata: Record<string, string> }[];
  data_transformer?: { inputs: string[]; outputs: string[] };
  data_entity_group?: { entities_list: string[] };
  data_input?: { outputs: string[] };
}

export interface Round {
  /** There was something to do. */
  worked: boolean;
  /** There is more to do at once. */
  more: boolean;
}

export interface PublisherHarness {
  test: TestDatabase;
  db: Database;
  deps: PublisherContext;
  /** The publisher's clock, moved by hand. */
  clock: Clock & { at: number };
  see(...edges: TestEdge[]): Promise<void>;
  /** One round as leader, under another holder's name if given. */
  round(deps?: Partial<PublisherContext>): Promise<Round>;
  /** Items posted since the last call, in the order of the log. */
  posted(): Promise<PostedItem[]>;
  /** Records of the log since the last call of it or of `posted`. */
  records(): Promise<LogRecord[]>;
  /** Applies what is in the log to the catalogue. */
  ingest(): Promise<void>;
  drop(): Promise<void>;
}

/** A publisher over a database and an event log of its own. */
export async function publisherHarness(
  config: Record<string, unknown> = {},
): Promise<PublisherHarness> {
  const test = await testDatabase();
  const { db } = test;
  const wakeups = new Wakeups(test.url, silentLogger);
  const clock = { at: Date.now(), now: () => clock.at, sleep: () => Promise.resolve() };
  const whole = Config.parse({ instance: test.name, traces: config });
  const shared = { config: whole, db, wakeups, log: silentLogger, metrics: noMetrics };
  const events: EventLog = await createEventLog({ ...shared, clock: systemClock });
  await events.ensureTopics(topics(1));
  const leases = new Leases(db, "one");
  const deps = { ...shared, events, leases, clock, config: whole.traces };
  let next = 0;
  const records = async () => {
    const read = await events.read(ingestionBatches, { partition: 0, from: next, limit: 1_000 });
    next = (read.at(-1)?.offset ?? next - 1) + 1;
    return read;
  };
  return {
    test,
    db,
    deps,
    clock,
    records,
    async see(...edges) {
      for (const edge of edges) await seeEdge(db, edge);
    },
    async round(given = {}) {
      const all = { ...deps, ...given };
      const lease = await all.leases.acquire(publisherLease, leaseMs);
      if (!lease) throw new Error("somebody else leads");
      return await roundAsLeader(all, lease);
    },
    async posted() {
      const text = new TextDecoder();
      return (await records()).flatMap((r) => JSON.parse(text.decode(r.value)).items);
    },
    ingest: () => ingestAll(test, events),
    async drop() {
      await events.close();
      await wakeups.close();
      await test.drop();
    },
  };
}

/** What the worker does in a round. */
async function roundAsLeader(context: PublisherContext, lease: Lease): Promise<Round> {
  const db = leasedDatabase(context.db, context.leases, { lease, ttlMs: leaseMs });
  const deps = { ...publisherDeps(context), db };
  const { taken, full } = await publishAll(deps, new AbortController().signal);
  const removed = await publishRemovals(deps);
  return { worked: taken + removed > 0, more: full || removed === maxRemovals };
}

async function ingestAll(test: TestDatabase, events: EventLog): Promise<void> {
  const context = testContext(test, { events, graph: { projection: "inline" } as never });
  const { workers } = ingestConsumerService.create(context);
  for (const worker of workers) await worker.start((error) => Promise.reject(error));
  await eventually(async () => {
    const lags = await events.lag("ingest-consumer", ingestionBatches);
    if (lags.length === 0 || lags.some(({ lag }) => lag > 0)) throw new Error("batches are left");
  });
  for (const worker of workers) await worker.stop();
  await context.wakeups.close();
}
