import { composedBatches, ingestionBatches, topics } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { createEventLog } from "#platform/adapters.ts";
import { noBackpressure } from "#platform/composed-source/applied.ts";
import type { Item } from "#platform/items.ts";
import { publishRemovals, queueRemovals } from "#platform/composed-source/removals.ts";
import { datahubRoot } from "#platform/naming/datahub/names.ts";
import { Config } from "#platform/config/schema.ts";
import { type ReadProposals, readProposals } from "#platform/datahub/proposals.ts";
import { mergeProposals } from "#platform/datahub/store.ts";
import { Pipeline } from "#services/ingest-consumer/pipeline.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { type PublisherDeps, queue } from "../publisher/queue.ts";
import { publishAll } from "../publisher/publish.ts";
import { publisherDeps } from "../service.ts";
import { applyTermLinks } from "../terms/apply.ts";

export interface Harness extends TestDatabase {
  deps: PublisherDeps;
  /** The clock of storing and publishing, moved by hand. */
  clock: { at: number; now: () => number; sleep: () => Promise<void> };
  /** Stores proposals as one body. */
  store(...proposals: unknown[]): Promise<ReadProposals>;
  /** Publishes until nothing is dirty, and applies what was posted; returns it by CATRN. */
  publish(): Promise<Map<string, Item>>;
  /** `store` and `publish`. */
  take(...proposals: unknown[]): Promise<Map<string, Item>>;
  /** Applies a batch of a collector, or of another source in low precedence. */
  collect(source: string, items: unknown[], headers?: Record<string, string>): Promise<void>;
  rows<R = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<R[]>;
}

const register = "INSERT INTO data_source (catrn, name) VALUES ($1, $1) ON CONFLICT DO NOTHING";

/** State and publisher over a database and an event log of their own; time stands still unless moved. */
export async function harness(config: Record<string, unknown> = {}): Promise<Harness> {
  const test = await testDatabase();
  const whole = Config.parse({ instance: test.name, datahub: config });
  // What is received in the future counts as received now, so time moves in the past.
  const begun = Date.now() - 24 * 3_600_000;
  const clock = { at: begun, now: () => clock.at, sleep: () => Promise.resolve() };
  const shared = { config: whole, db: test.db, log: silentLogger, metrics: noMetrics };
  const events = await createEventLog({ ...shared, clock: systemClock } as never);
  await events.ensureTopics(topics(1));
  const made = publisherDeps({ ...shared, events, clock } as never);
  const deps = {
    ...made,
    backpressure: noBackpressure,
    source: {
      ...made.source,
      removals: queueRemovals(queue, { root: datahubRoot, renameMs: 0 }),
    },
  };
  const pipeline = new Pipeline({
    ...shared,
    clock: systemClock,
    maxBodyBytes: 20 * 1024 * 1024,
    deadLetter: ({ message }) => Promise.reject(new Error(`refused: ${message}`)),
  });
  const self: Harness = {
    ...test,
    deps,
    clock,
    store: (...proposals) => storeAll(test, whole, proposals, clock.at),
    publish: publishing(test, deps, pipeline),
    async take(...proposals) {
      await self.store(...proposals);
      return await self.publish();
    },
    async collect(source, items, headers = {}) {
      await test.db.query(register, [source]);
      await pipeline.process(batchRecord(source, items, headers, clock.at));
    },
    rows: (text, ...values) => test.db.query(text, values) as never,
    async drop() {
      await deps.intakeWarnings.flush();
      await events.close();
      await test.drop();
    },
  };
  return self;
}

async function storeAll(
  { db }: TestDatabase,
  config: Config,
  given: unknown[],
  now: number,
): Promise<ReadProposals> {
  const read = readProposals(given, now);
  const { accepted: proposals, deletions } = read;
  const refreshBefore = now - config.datahub.refresh;
  await mergeProposals(db, { proposals, deletions, refreshBefore });
  return read;
}

/** Rounds after which publishing should have ended. */
const maxRounds = 50;

function publishing(
  { db }: TestDatabase,
  deps: PublisherDeps,
  pipeline: Pipeline,
): Harness["publish"] {
  let next = 0;
  return async () => {
    let rounds = 0;
    while (await publishAll(deps) > 0) {
      if (++rounds > maxRounds) throw new Error("publishing does not end");
    }
    const range = { partition: 0, from: next, limit: 1_000 };
    const records = await deps.events.read(composedBatches, range);
    next = (records.at(-1)?.offset ?? next - 1) + 1;
    for (const record of records) await pipeline.process(record);
    await publishRemovals(deps);
    // Links of entities that were not applied yet are due some time later. Due times are rounded to milliseconds, also up.
    await db.query(
      "UPDATE dh_term_link SET due_at = now() - interval '1 s' WHERE due_at IS NOT NULL",
    );
    await applyTermLinks(deps);
    const items = records.flatMap(({ value }) =>
      JSON.parse(new TextDecoder().decode(value)).items as Item[]
    );
    return new Map(items.map((item) => [item.catrn, item]));
  };
}

let batches = 0;

function batchRecord(
  source: string,
  items: unknown[],
  headers: Record<string, string>,
  timestamp: number,
): LogRecord {
  return {
    topic: ingestionBatches,
    partition: 1,
    offset: batches++,
    key: source,
    headers,
    timestamp,
    value: new TextEncoder().encode(JSON.stringify({ data_source_catrn: source, items })),
  };
}
