import { context as traceContext, SpanStatusCode, trace } from "@opentelemetry/api";
import { AppError, messageOf } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { ThreadPool } from "#kit/threads.ts";
import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import type { ReadProposals } from "#platform/datahub/read.ts";
import { AspectAccount, AspectStore } from "#platform/datahub/aspect-store.ts";
import { BodyReader } from "#platform/http/body.ts";
import { type Caller, callerKey } from "#platform/operations/caller.ts";
import { ok, type Reply } from "#platform/operations/reply.ts";
import { rejectedError } from "./answers.ts";
import * as bounds from "./bounds.ts";
import { evaluateBody, type EvaluationJob, type IngestAction } from "./evaluate.ts";

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
    this.#reader = new BodyReader({ maxBytes: bounds.maxBodyBytes, timeoutMs, tooLarge });
    this.#threads = new ThreadPool({
      name: "datahub",
      script: new URL("./worker.ts", import.meta.url),
      metrics: deps.metrics,
      threads: 1,
      maxQueued: bounds.maxWaiting,
      deadlineMs: bounds.deadlineMs,
      heapMb: 1_024,
    });
    this.#limiter = new ConcurrencyLimiter({
      ...bounds.merging,
      maxWaitingPerKey: bounds.maxWaitingPerKey,
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
    try {
      return await traceContext.with(trace.setSpan(traceContext.active(), span), async () => {
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
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  /** Ends the thread and writes the warnings that wait. */
  stop(): void {
    this.#threads.stop();
    void this.#warnings.flush();
  }

  async #evaluate(body: Uint8Array, job: EvaluationJob): Promise<ReadProposals> {
    if (body.length <= bounds.inlineBytes) return evaluateBody(body, job);
    return await this.#threads.run(job, { bytes: body });
  }
}

function tooLarge(message: string): AppError {
  return new AppError(message, { status: 413, code: "USR001", resolvable: true });
}
