import { ingestionFault, type IngestionReport } from "#contract/ingestion/report.ts";
import { batchHeaders, frameHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import { PermanentError } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { serverTimeSql } from "#metadata/postgres/server-time.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { BodyReader } from "#platform/http/body.ts";
import { traceparentOf } from "#platform/telemetry/trace-context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { type Outcomes, type PendingOutcome, type ProjectionWait } from "./outcomes.ts";
import type { PreparePool } from "../bodies/pool.ts";
import type { PreparedBatch } from "./prepare.ts";
import { type AcceptedBatch, endsBatch, foreignRefusal, refusalOf, reportOn } from "./refusal.ts";
import { requireTokenOf } from "../datasources.ts";
import { noteRefused, replyOf } from "../operations.ts";

/** Milliseconds that publishing a batch to the event log may take. */
const publishTimeoutMs = 5_000;

/** The state of a batch in answers; `stored` is committed but not yet in the lineage graph. */
type IngestionState = "applied" | "stored" | "queued";

interface BatchIntakeDeps {
  context: Context;
  reader: BodyReader;
  pool: PreparePool;
  outcomes: Outcomes;
  projection: ProjectionWait;
}

/** A batch that was published to the log and whose answer is pending. */
interface PendingBatch {
  id: string;
  dataSourceCatrn: string;
  batch: AcceptedBatch;
  expected: PendingOutcome | undefined;
  deadline: number;
}

/** Accepts batches over HTTP: validates, publishes, and waits for the outcome. */
export class BatchIntake {
  constructor(private readonly deps: BatchIntakeDeps) {}

  /** Answers `POST /ingestion/entities`; throws an `AppError` for every refusal. */
  async accept(request: Request, caller: Caller): Promise<Reply> {
    const pending = await this.deps.reader.read(request, async (body) => {
      const batch = await this.deps.pool.prepare(body);
      const receivedAt = await this.#receivedAt(batch.dataSourceCatrn);
      await requireTokenOf(this.deps.context, caller, batch.dataSourceCatrn);
      return await this.#publish(batch, receivedAt, request);
    });
    try {
      return await this.#answer(pending);
    } finally {
      this.deps.context.readChunks?.forget(pending.id);
    }
  }

  /** Throws when the data source is not registered. */
  async #receivedAt(catrn: string): Promise<number> {
    const [source] = await this.deps.context.db.query(sourceByCatrn, [catrn]);
    if (source) return source.now;
    throw ingestionFault(
      `Data source ${catrn} is not known; register it with POST /ingestion/datasources`,
      [{ field: "data_source_catrn", message: "is not the catrn of a registered data source" }],
    );
  }

  async #publish(
    batch: PreparedBatch,
    receivedAt: number,
    request: Request,
  ): Promise<PendingBatch> {
    const { context, outcomes } = this.deps;
    const id = uuidv7(receivedAt);
    const timeout = context.config.ingestion["ack-timeout"];
    const parts = batch.chunks.length;
    const expected = outcomes.expect(id, parts, timeout);
    const traceparent = traceparentOf(request);
    const trace: Record<string, string> = traceparent === undefined
      ? {}
      : { [batchHeaders.traceparent]: traceparent };
    const records = batch.chunks.map(({ body }, part) => ({
      key: batch.dataSourceCatrn,
      value: body,
      headers: { ...frameHeaders({ batch: id, part, parts, receivedAt }), ...trace },
    }));
    batch.chunks.forEach(({ body, read }, part) => {
      if (read) context.readChunks?.keep(id, part, body, read);
    });
    try {
      await context.events.publish(ingestionBatches, records, { timeoutMs: publishTimeoutMs });
    } catch (error) {
      expected?.cancel();
      context.readChunks?.forget(id);
      throw publishFailure(error);
    }
    return {
      id,
      dataSourceCatrn: batch.dataSourceCatrn,
      batch: { ...batch, chunks: batch.chunks.map(({ indexes }) => indexes) },
      expected,
      deadline: context.clock.now() + timeout,
    };
  }

  async #answer({ dataSourceCatrn, batch, expected, deadline }: PendingBatch): Promise<Reply> {
    const parts = batch.chunks.length;
    const known = await expected?.outcomes ?? [];
    const refused = known.filter(({ outcome }) => outcome === "refused");
    if (endsBatch(refused, parts)) {
      this.#count("refused");
      throw refusalOf(refused, batch);
    }
    const foreign = foreignRefusal(known, batch);
    if (foreign) {
      this.#count("refused");
      throw foreign;
    }
    const report = reportOn(known, batch);
    noteRefused(this.deps.context, "items", report, { source: dataSourceCatrn });
    if (known.length < parts) return this.#reply("queued", report);
    const applied = known.filter(({ outcome }) => outcome === "applied");
    const position = Math.max(0, ...applied.map(({ position }) => position));
    return this.#reply(await this.#stateAt(position, deadline), report, position);
  }

  async #stateAt(position: number, deadline: number): Promise<IngestionState> {
    const { context, projection } = this.deps;
    const left = Math.max(0, deadline - context.clock.now());
    return await projection.reached(position, left) ? "applied" : "stored";
  }

  #reply(state: IngestionState, report: IngestionReport, position?: number): Reply {
    this.#count(state);
    const headers: Record<string, string> = { "X-Ingestion-State": state };
    if (position !== undefined) headers["X-Lineage-Position"] = String(position);
    return replyOf(200, report, headers);
  }

  #count(state: IngestionState | "refused"): void {
    this.deps.context.metrics.counter(
      "tributary_ingestion_batches_total",
      "Batches received over HTTP, by their state when the response was sent",
      ["state"],
    ).inc({ state });
  }
}

/** When a batch of a data source counts as received, by PostgreSQL's clock. */
const sourceByCatrn = statement<{ now: number }>("ingestion_source")`
  SELECT ${serverTimeSql} AS now FROM data_source WHERE catrn = $1`;

function publishFailure(error: unknown): unknown {
  if (error instanceof PermanentError && error.reason === "record_too_large") {
    return ingestionFault("An item of the batch is larger than the event log takes");
  }
  return error;
}
