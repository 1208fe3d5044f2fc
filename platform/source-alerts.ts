import type { SourceAlertType } from "#contract/alerts.ts";
import { maxDetails } from "#contract/bounded.ts";
import type { IngestionAlert } from "#contract/ingestion/source-alerts.ts";
import { unavailable } from "#kit/errors.ts";
import type { Counter } from "#kit/metrics.ts";
import { chunksOf, createAlerts, cutDescription, stackAlerts } from "#metadata/catalogue/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ingestionFault } from "#contract/ingestion/report.ts";

/** The reports of a request on one data source and one type, in order. */
interface SourceProblem {
  source: AlertSource;
  type: SourceAlertType;
  messages: string[];
}

type Deps = Pick<Context, "db" | "clock" | "metrics">;

/** Stores what collectors report on data sources: all of a request, or nothing. */
export class SourceAlerts {
  readonly #count: Counter;

  constructor(private readonly context: Deps) {
    this.#count = context.metrics.counter(
      "tributary_source_alerts_total",
      "Reported alerts about data sources, by outcome",
      ["outcome"],
    );
  }

  /**
   * Raises an alert for each data source and type, or extends the one that is open. Throws what a batch
   * of an unknown data source throws.
   */
  async take(items: IngestionAlert[]): Promise<void> {
    if (items.length === 0) return;
    const at = new Date(this.context.clock.now()).toISOString();
    const { db } = this.context;
    const { raised, stacked } = await retryingTransaction(db, (tx) => record(tx, items, at));
    this.#count.inc({ outcome: "raised" }, raised);
    this.#count.inc({ outcome: "stacked" }, stacked);
  }
}

async function record(tx: Transaction, items: IngestionAlert[], at: string) {
  const catrns = [...new Set(items.map((item) => item.data_source_catrn))].sort();
  const locked = await tx.query(lockSources, [catrns]);
  const sources = new Map(locked.map((source) => [source.catrn, source]));
  refuseUnknown(items, sources);
  const problems = problemsOf(items, sources);
  const open = await tx.query(lockOpen, [locked.map(({ id }) => id)]);
  const openOf = new Map(open.map((alert) => [keyOf(alert.dataSourceId, alert.type), alert.id]));
  const reports = problems.map((problem) => ({
    ...problem,
    id: openOf.get(keyOf(problem.source.id, problem.type)),
    chunks: chunksOf(problem.messages, at),
  }));
  const raised = reports.filter(({ id }) => id === undefined);
  const stacked = reports.filter(({ id }) => id !== undefined);
  const refOf = (type: SourceAlertType) => ({ entityId: null, type });
  await stackAlerts(
    tx,
    stacked.map(({ id, type, chunks }) => ({ alert: { id: id!, ...refOf(type) }, chunks })),
    at,
  );
  const made = await createAlerts(
    tx,
    raised.map(({ source, type, chunks }) => ({
      ...refOf(type),
      messengerId: null,
      dataSourceId: source.id,
      chunks,
      resolved: false,
    })),
    at,
  );
  if (made.includes(null)) {
    throw unavailable("An alert about a data source was opened meanwhile", 1);
  }
  return { raised: raised.length, stacked: stacked.length };
}

function refuseUnknown(items: IngestionAlert[], sources: Map<string, AlertSource>): void {
  const unknown = items.flatMap(({ data_source_catrn }, at) =>
    sources.has(data_source_catrn) ? [] : [{ at, data_source_catrn }]
  );
  if (unknown.length === 0) return;
  throw ingestionFault(
    `The data source ${unknown[0]!.data_source_catrn} is not known; register it first`,
    unknown.slice(0, maxDetails).map(({ at }) => ({
      field: `items[${at}].data_source_catrn`,
      message: "is not a registered data source",
    })),
  );
}

function problemsOf(items: IngestionAlert[], sources: Map<string, AlertSource>): SourceProblem[] {
  const problems = new Map<string, SourceProblem>();
  for (const { data_source_catrn, message, type } of items) {
    const source = sources.get(data_source_catrn)!;
    const key = keyOf(source.id, type);
    const problem = problems.get(key) ?? { source, type, messages: [] };
    problem.messages.push(textOf(source, message));
    problems.set(key, problem);
  }
  return [...problems.values()];
}

const keyOf = (source: number, type: SourceAlertType) => `${source} ${type}`;

/** Messages of alerts name no data source, so their text does. */
function textOf({ name, catrn }: AlertSource, message: string): string {
  return cutDescription(`${name} (${catrn}): ${message.trim() || "no message"}`);
}

interface AlertSource {
  id: number;
  catrn: string;
  name: string;
}

/**
 * Locks data sources, so that calls that report on one source are serialized; batches, which only refer to it,
 * do not wait.
 */
const lockSources = statement<AlertSource>("source-alerts-lock-sources")`
  SELECT id, catrn, name FROM data_source WHERE catrn = ANY($1::text[])
   ORDER BY id FOR NO KEY UPDATE`;

interface OpenSourceAlert {
  id: number;
  dataSourceId: number;
  type: SourceAlertType;
}

/** Locks the open alerts about these data sources. */
const lockOpen = statement<OpenSourceAlert>("source-alerts-open")`
  SELECT id, data_source_id AS "dataSourceId", alert_type_name(type) AS type FROM alert
   WHERE status = 1 AND data_source_id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;
