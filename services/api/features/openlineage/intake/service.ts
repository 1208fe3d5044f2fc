import { trace } from "@opentelemetry/api";
import { refusalText } from "#contract/openlineage/accept.ts";
import { badRequest, tooLarge } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import { bounded } from "#kit/text.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { BatchesInFlight } from "#platform/batches-in-process.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import { EventIntake, type Outcome } from "#platform/openlineage/intake.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { traceparentOf, withinSpan } from "#platform/telemetry/trace-context.ts";
import {
  cooldownFactor,
  deadlineMs,
  evaluateBody,
  type EvaluatedBody,
  inlineBytes,
  maxBatchBytes,
  maxCooldownMs,
  maxEventBytes,
  maxWaiting,
} from "./bodies.ts";
import { type BatchReport, stateHeader, warningsHeader } from "./operations.ts";
import type { EvaluationJob } from "./worker.ts";

const tracer = trace.getTracer("tributary.openlineage");

type Deps = Pick<
  Context,
  "config" | "db" | "events" | "clock" | "metrics" | "log" | "batchesInFlight"
>;

/** Takes OpenLineage events over HTTP and puts them into the event log. */
export class LineageIntake {
  readonly #one: BodyReader;
  readonly #many: BodyReader;
  readonly #pool: EvaluationPool;
  readonly #intake: EventIntake;

  constructor(private readonly context: Deps) {
    const timeoutMs = context.config.server["body-timeout"];
    this.#one = new BodyReader({ maxBytes: maxEventBytes, timeoutMs, tooLarge });
    this.#many = new BodyReader({ maxBytes: maxBatchBytes, timeoutMs, tooLarge });
    this.#pool = new EvaluationPool(context.metrics, context.batchesInFlight);
    this.#intake = new EventIntake(context, "http");
  }

  /** Answers `POST /api/v1/lineage`; throws an `AppError` for every refusal. */
  event(request: Request): Promise<Reply> {
    return this.#accept(request, this.#one, isLines(request));
  }

  /** Answers `POST /api/v1/lineage/batch`. */
  batch(request: Request): Promise<Reply> {
    return this.#accept(request, this.#many, true);
  }

  /** Ends the thread and writes the intake warnings that wait. */
  stop(): void {
    this.#pool.stop();
    void this.#intake.stop();
  }

  async #accept(request: Request, reader: BodyReader, lines: boolean): Promise<Reply> {
    const span = tracer.startSpan("openlineage.accept");
    return await withinSpan(span, async () => {
      const receivedAt = this.context.clock.now();
      const traceparent = traceparentOf(request);
      return await reader.read(request, async (body) => {
        const { form, results } = await this.#pool.evaluate(body, { lines });
        span.setAttribute("messaging.batch.message_count", results.length);
        const outcome = await this.#intake.take(results, { receivedAt, traceparent });
        return form === "one" ? answerOne(outcome) : answerList(outcome);
      });
    });
  }
}

const lineTypes = /^application\/(?:x-ndjson|ndjson|jsonl)$/i;

function isLines({ headers }: Request): boolean {
  return lineTypes.test((headers.get("content-type") ?? "").split(";", 1)[0]!.trim());
}

function answerOne(outcome: Outcome): Reply {
  const [wrong] = outcome.refused;
  if (!wrong) return { status: 200, headers: headersOf(outcome) };
  const { path, reason } = wrong.refused;
  throw badRequest(
    refusalText(wrong.refused),
    path === "" ? [] : [{ field: path, message: reason }],
  );
}

function answerList(outcome: Outcome): Reply {
  const report = reportOf(outcome);
  const headers = headersOf(outcome);
  if (report === null) return { status: 204, headers };
  return { status: report.status === "failure" ? 400 : 200, body: report, headers };
}

function headersOf({ accepted, warnings }: Outcome): Record<string, string> {
  return {
    ...(accepted > 0 ? { [stateHeader]: "queued" } : {}),
    ...(warnings > 0 ? { [warningsHeader]: String(warnings) } : {}),
  };
}

/** Characters of a reason that an answer gives. */
const maxReason = 500;

/** What became of the events of a body; null when all of them were accepted. */
function reportOf({ accepted, refused }: Outcome): BatchReport | null {
  const failed = refused.length;
  if (failed === 0) return null;
  return {
    status: accepted === 0 ? "failure" : "partial_success",
    summary: {
      received: accepted + failed,
      successful: accepted,
      failed,
      // What can be repeated with success is refused as a whole, with 503.
      retriable: 0,
      non_retriable: failed,
    },
    failed_events: refused.map(({ index, refused }) => ({
      index,
      reason: bounded(refusalText(refused), maxReason),
      retriable: false,
    })),
  };
}

/**
 * Evaluates bodies: small ones at once, large ones in a thread of their own, so that events delay neither other requests
 * nor the batches of collectors, which have their own threads. While a collector waits, that thread rests after each body, so
 * that a flood is accepted little faster than it becomes visible: more helps nobody, and takes the collector's processors.
 */
export class EvaluationPool {
  readonly #threads: ThreadPool<EvaluationJob, EvaluatedBody>;

  constructor(metrics: Metrics, batchesInFlight?: Pick<BatchesInFlight, "any">) {
    this.#threads = new ThreadPool({
      name: "openlineage",
      script: new URL("./worker.ts", import.meta.url),
      metrics,
      threads: 1,
      maxQueued: maxWaiting,
      deadlineMs,
      heapMb: 1_024,
      cooldownMs: (tookMs) =>
        batchesInFlight?.any ? Math.min(tookMs * cooldownFactor, maxCooldownMs) : 0,
    });
  }

  /** Throws as `evaluateBody` does, and 503 when too many large bodies wait. Takes ownership of `body`. */
  async evaluate(body: Uint8Array, job: EvaluationJob): Promise<EvaluatedBody> {
    if (body.length <= inlineBytes) return evaluateBody(body, job);
    return await this.#threads.run(job, { bytes: body });
  }

  /** Ends the thread; what it has not done is refused with 503. */
  stop(): void {
    this.#threads.stop();
  }
}
