import { trace } from "@opentelemetry/api";
import { parseLeniently } from "#contract/openlineage/json.ts";
import { AppError, notFound, tooLarge } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { ThreadPool } from "#kit/threads.ts";
import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { ReadProposals } from "#platform/datahub/proposals.ts";
import * as stored from "#platform/datahub/schemas.ts";
import { AspectAccount, AspectStore } from "#platform/datahub/store.ts";
import { objectOf, textOf } from "#platform/datahub/values.ts";
import { BodyReader } from "#platform/http/body.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { ok, type Reply } from "#platform/operations/declare.ts";
import { withinSpan } from "#platform/telemetry/trace-context.ts";
import {
  deadlineMs,
  evaluateBody,
  type EvaluationJob,
  type IngestAction,
  inlineBytes,
  maxBodyBytes,
  maxReadBytes,
  maxWaiting,
  storeQueue,
} from "./bodies.ts";
import { rejectedError } from "./operations.ts";
export * from "./reads.ts";

/** Reads questions from bodies of requests, and replies with what `answer` resolves to. */
export function createQuestions({ config }: Pick<Context, "config">) {
  const timeoutMs = config.server["body-timeout"];
  const reader = new BodyReader({ maxBytes: maxReadBytes, timeoutMs });
  return (request: Request, answer: (question: unknown) => Promise<unknown>): Promise<Reply> =>
    reader.read(request, async (body) => ok(await answer(parseLeniently(body))));
}

/**
 * The release of DataHub's server whose interface is served. Clients choose by it what they send: from 1.0.1 on some
 * post to another interface, which is not served.
 */
const servedVersion = "v1.0.0";

/** What clients are answered before they send anything. */
export const serverConfig = {
  noCode: "true",
  models: {},
  versions: { "acryldata/datahub": { version: servedVersion, commit: "" } },
  datahub: { serverType: "prod", serverEnv: "core" },
  statefulIngestionCapable: true,
  patchCapable: true,
  supportsImpactAnalysis: false,
  managedIngestion: { enabled: false },
  telemetry: { enabledCli: false },
  retention: "true",
};

/**
 * As `POST /subjects/{subject}/versions` of Confluent's schema registry, which Kafka sinks of DataHub ask. Throws 422 for
 * a body without a schema of Avro.
 */
export async function registerSchema(db: Database, body: unknown): Promise<{ id: number }> {
  const given = objectOf(body);
  const schema = textOf(given?.schema);
  const type = textOf(given?.schemaType) ?? "AVRO";
  if (schema === undefined || type !== "AVRO") throw invalid("schema must be a schema of Avro");
  if (schema.length > stored.maxSchema) {
    throw invalid(`schema must be at most ${stored.maxSchema} long (was ${schema.length})`);
  }
  if (schema.includes("\0") || !schema.isWellFormed()) throw invalid("schema must be Unicode text");
  return { id: await stored.registerSchema(db, schema) };
}

/** As `GET /schemas/ids/{id}` of that registry. Throws 404 for an unknown id. */
export async function readSchema(db: Database, id: number): Promise<{ schema: string }> {
  const schema = await stored.registeredSchema(db, id);
  if (schema === undefined) throw notFound("Schema", String(id));
  return { schema };
}

const invalid = (message: string) =>
  new AppError(message, { status: 422, code: "USR001", resolvable: true });

const tracer = trace.getTracer("tributary.datahub");

type Deps = Pick<Context, "config" | "db" | "clock" | "metrics" | "log">;

/** Takes aspects as clients of DataHub post them, and stores them. */
export class AspectIntake {
  readonly #reader: BodyReader;
  readonly #threads: ThreadPool<EvaluationJob, ReadProposals>;
  readonly #limiter: ConcurrencyLimiter;
  readonly #warnings: IntakeWarnings;
  readonly #account: AspectAccount;
  readonly #store: AspectStore;

  constructor(private readonly deps: Deps) {
    const timeoutMs = deps.config.server["body-timeout"];
    this.#reader = new BodyReader({ maxBytes: maxBodyBytes, timeoutMs, tooLarge });
    this.#threads = new ThreadPool({
      name: "datahub",
      script: new URL("./worker.ts", import.meta.url),
      metrics: deps.metrics,
      threads: 1,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
    });
    this.#limiter = new ConcurrencyLimiter({
      ...storeQueue,
      refused: "Too many bodies wait to be stored",
    });
    this.#warnings = new IntakeWarnings(deps);
    this.#account = new AspectAccount(deps.metrics, this.#warnings);
    this.#store = new AspectStore(deps);
  }

  /**
   * Stores what a body proposes; resolves once it is durable. Throws an `AppError`: 400 that names what is wrong, after
   * everything else was stored; 413; 429 and 503 when the client should send it again later.
   */
  async ingest(request: Request, action: IngestAction, actor: Caller): Promise<Reply> {
    const span = tracer.startSpan("datahub.accept");
    return await withinSpan(span, async () => {
      await this.#store.requireCapacity();
      return await this.#reader.read(request, async (body) => {
        const read = await this.#evaluate(body, { action, receivedAt: this.deps.clock.now() });
        span.setAttribute("messaging.batch.message_count", read.accepted.length);
        await this.#limiter.run(() => this.#store.store(read), callerKey(actor));
        this.#account.accepted(read);
        this.#account.rejected(read);
        if (read.rejected.length > 0) throw rejectedError(read.rejected, read.accepted.length);
        return ok({ value: (read.accepted[0] ?? read.deletions[0])?.urn ?? "" });
      });
    });
  }

  /** Ends the thread and writes the warnings that wait. */
  stop(): void {
    this.#threads.stop();
    void this.#warnings.flush();
  }

  async #evaluate(body: Uint8Array, job: EvaluationJob): Promise<ReadProposals> {
    if (body.length <= inlineBytes) return evaluateBody(body, job);
    return await this.#threads.run(job, { bytes: body });
  }
}
