import { entityTypeNames, entityTypes } from "#contract/entities.ts";
import { ingestionFault } from "#contract/ingestion/report.ts";
import { unstorable } from "#contract/text.ts";
import { tooLarge } from "#kit/errors.ts";
import { recordMetrics } from "#metadata/catalogue/metric-points.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { SourceAlerts } from "#platform/source-alerts.ts";
import { AlertRouter, maxAlertBody } from "./alerts/router.ts";
import { BatchIntake } from "./batches/intake.ts";
import { Outcomes, ProjectionWait } from "./batches/outcomes.ts";
import { PreparePool } from "./bodies/pool.ts";
import type { BodyName, BodyOf } from "./bodies/read.ts";
import { registerDataSources, registrar } from "./datasources.ts";
import { noteRefused, replyOf } from "./operations.ts";
import { recordStatistics } from "./statistics/record.ts";

export interface IngestionOptions {
  /** Maximum number of batches that requests wait for at a time (default 1,000); later ones are answered `queued`. */
  maxWaiters?: number;
  /** Milliseconds between two polls for outcomes (default 250). */
  pollMs?: number;
}

/** Everything that can be posted to the catalogue. Each method reads the body of its request itself. */
export class Ingestion {
  readonly #reader: BodyReader;
  readonly #alertReader: BodyReader;
  readonly #pool: PreparePool;
  readonly #outcomes: Outcomes;
  readonly #projection: ProjectionWait;
  readonly #intake: BatchIntake;
  readonly #alerts: AlertRouter;
  readonly #sourceAlerts: SourceAlerts;

  constructor(private readonly context: Context, options: IngestionOptions = {}) {
    const timeoutMs = context.config.server["body-timeout"];
    const maxBytes = context.config.ingestion["max-body-size"];
    this.#reader = new BodyReader({ maxBytes, timeoutMs, tooLarge: ingestionFault });
    this.#alertReader = new BodyReader({ maxBytes: maxAlertBody, timeoutMs, tooLarge });
    this.#pool = new PreparePool(context.metrics, context.readChunks);
    this.#outcomes = new Outcomes({ ...context, ...options });
    this.#projection = new ProjectionWait({ ...context, ...options });
    this.#intake = new BatchIntake({
      context,
      reader: this.#reader,
      pool: this.#pool,
      outcomes: this.#outcomes,
      projection: this.#projection,
    });
    this.#alerts = new AlertRouter(context);
    this.#sourceAlerts = new SourceAlerts(context);
  }

  /** Publishes a batch of entities and waits a limited time for its outcome. */
  batch(request: Request, caller: Caller): Promise<Reply> {
    const work = () => this.#intake.accept(request, caller);
    return this.context.batchesInFlight?.during(work) ?? work();
  }

  async dataSources(request: Request, caller: Caller): Promise<void> {
    const collector = await registrar(this.context, caller, request);
    const list = await this.#read(request, "datasources");
    await registerDataSources(this.context, list, collector);
  }

  async statistics(request: Request): Promise<Reply> {
    const list = await this.#read(request, "statistics");
    const report = await recordStatistics(this.context.db, list);
    noteRefused(this.context, "statistics", report);
    return replyOf(201, report);
  }

  async metrics(request: Request): Promise<void> {
    const list = await this.#read(request, "metrics");
    await recordMetrics(this.context.db, list, this.context.clock.now());
  }

  async alerts(request: Request): Promise<void> {
    const list = await this.#alertReader.read(request, (body) => this.#pool.read("alerts", body));
    await this.#alerts.take(list.alerts ?? []);
  }

  async sourceAlerts(request: Request): Promise<void> {
    const read = (body: Uint8Array) => this.#pool.read("sourceAlerts", body);
    const list = await this.#alertReader.read(request, read);
    await this.#sourceAlerts.take(list.items);
  }

  /**
   * Answers waiting requests (`queued`, or `stored` once committed) and ends the threads;
   * idempotent.
   */
  stop(): void {
    this.#outcomes.stop();
    this.#projection.stop();
    this.#pool.stop();
  }

  #read<N extends BodyName>(request: Request, name: N): Promise<BodyOf<N>> {
    return this.#reader.read(request, (body) => this.#pool.read(name, body));
  }
}

/** A group's direct members (CompactDataEntityList); none of an unknown group. */
export async function membersOf({ db }: Pick<Context, "db">, group: string) {
  if (unstorable(group)) return [];
  const rows = await db.query(membersStatement, [group]);
  return rows.map(({ catrn, type_id }) => ({ catrn, type: typeNames.get(type_id) }));
}

const typeNames = new Map(entityTypeNames.map((name) => [entityTypes[name].id as number, name]));

/** Live, non-hollow members of a group with their types, by CATRN. */
const membersStatement = plannedEachTime<{ catrn: string; type_id: number }>("ingestion-members")`
  SELECT m.catrn, m.type_id
    FROM data_entity m
   WHERE m.id IN (SELECT gm.member_id FROM group_member gm JOIN data_entity g ON g.id = gm.group_id
                   WHERE g.catrn = $1 AND is_live(g.status))
     AND NOT m.hollow AND is_live(m.status) AND m.type_id IS NOT NULL
   ORDER BY m.catrn`;
