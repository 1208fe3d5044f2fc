import { countAlone } from "#metadata/catalogue/entities.ts";
import { type IntakeWarning, IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { AppliedBackpressure, AppliedBatches } from "./applied.ts";
import { yieldingBatches } from "./batches.ts";
import type { QueueDeps, QueueMetrics } from "./deps.ts";
import type { QueueStatements } from "./queue.queries.ts";
import { defaultRenameMs, queueRemovals } from "./removals.ts";
import type { PublisherWork, RoundOutcome } from "./worker.ts";

/** Rows of a round beyond which the next one follows without a rest. */
const busyRows = 150;

/** Rows that are counted of each table. */
const maxCounted = 10_000;

/** How the data sources of a composed source are made. */
export interface SourceNaming {
  /** Such as `OpenLineage`; its data sources are named after it and their group. */
  system: string;
  description: string;
  /** What the CATRNs of its data sources begin with. */
  root: string;
  /** Maximum number of data sources; further groups share `shared`, which a warning reports. */
  max: number;
  shared: { catrn: string; name: string };
  catrnOf(group: string): string;
  warningOf(sharing: string): Omit<IntakeWarning, "kind">;
}

/** What a source with a row queue consists of, besides its mapping. */
interface QueueOptions<T extends string, M extends QueueMetrics<T>> {
  /** Name of the service in the log. */
  service: string;
  metrics: M;
  statements: QueueStatements<T>;
  naming: SourceNaming;
  refreshMs: number;
}

/** What the publisher of a source with a row queue works with: its batches yield to collectors. */
export function queueDeps<T extends string, M extends QueueMetrics<T>>(
  context: Context,
  { service, metrics, statements, naming, refreshMs }: QueueOptions<T, M>,
): QueueDeps<T> & { metrics: M } {
  const { db, events, clock } = context;
  const log = context.log.with({ service });
  const intakeWarnings = new IntakeWarnings({ db, clock, log, metrics: context.metrics });
  return {
    db,
    events,
    clock,
    log,
    metrics,
    intakeWarnings,
    backpressure: new AppliedBackpressure({ db, clock }),
    applied: new AppliedBatches({ db, events, clock, log, statements }),
    filtered: context.config.auth.ingestion.filter.enabled,
    source: {
      system: naming.system,
      batches: yieldingBatches,
      removals: queueRemovals(statements, { root: naming.root, renameMs: defaultRenameMs }),
      statements,
      refreshMs,
      ensureSources: (groups) => registerSources({ db, intakeWarnings }, groups, naming),
    },
  };
}

/** What the publisher of a source with a row queue does in a round. */
export function queueWork<T extends string, D extends QueueDeps<T>>(
  deps: D,
  publishAll: (deps: D, signal: AbortSignal) => Promise<number>,
): Pick<PublisherWork<D>, "deps" | "isDue" | "publishAll" | "countWaiting"> {
  const { db, clock, metrics, source: { statements } } = deps;
  return {
    deps,
    isDue: async () => (await db.query(statements.anyDue, [clock.now()]))[0]!.due,
    async publishAll(given, signal): Promise<RoundOutcome> {
      const taken = await publishAll(given, signal);
      return { taken, full: taken >= busyRows };
    },
    async countWaiting() {
      for (const { table, rows } of await db.query(statements.waiting, [maxCounted])) {
        metrics.waiting(table, rows);
      }
    },
  };
}

const storedSources = statement<{ catrn: string }>("composed-sources-stored")`
  SELECT catrn FROM data_source WHERE catrn = ANY($1::text[])`;

const countSources = statement<{ count: number }>("composed-sources-count")`
  SELECT count(*)::int AS count FROM data_source WHERE starts_with(catrn, $1)`;

const insertSources = statement("composed-sources-make")`
  INSERT INTO data_source (catrn, name, description)
  SELECT catrn, name, $3 FROM unnest($1::text[], $2::text[]) AS s (catrn, name) ORDER BY catrn
  ON CONFLICT (catrn) DO NOTHING`;

/** The data source of each group, registered if it is not there yet. */
async function registerSources(
  { db, intakeWarnings }: { db: Database; intakeWarnings: IntakeWarnings },
  groups: string[],
  naming: SourceNaming,
): Promise<Map<string, string>> {
  const sources = new Map(groups.map((group) => [group, naming.catrnOf(group)]));
  const known = new Set(
    (await db.query(storedSources, [[...new Set(sources.values())]])).map(({ catrn }) => catrn),
  );
  const missing = new Map([...sources].filter(([, catrn]) => !known.has(catrn)));
  if (missing.size === 0) return sources;
  for (const group of await makeSources(db, missing, naming)) {
    sources.set(group, naming.shared.catrn);
    intakeWarnings.note({ ...naming.warningOf(group), kind: "too_many" });
  }
  return sources;
}

/** Longest name of a data source, in characters. */
const maxSourceName = 200;

/** Resolves with the groups that share a data source. */
function makeSources(
  db: Database,
  missing: Map<string, string>,
  { system, description, root, max, shared }: SourceNaming,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await countAlone(tx, `data sources of ${system}`);
    const [row] = await tx.query(countSources, [root]);
    const capacity = Math.max(0, max - row!.count);
    const own = [...missing].slice(0, capacity).map(([name, catrn]) => ({ catrn, name }));
    const rest = [...missing.keys()].slice(capacity);
    if (rest.length > 0) own.push(shared);
    const names = own.map(({ name }) => `${system} ${name}`.slice(0, maxSourceName).toWellFormed());
    await tx.query(insertSources, [own.map(({ catrn }) => catrn), names, description]);
    return rest;
  });
}
