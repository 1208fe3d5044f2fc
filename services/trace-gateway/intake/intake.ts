import type { Context } from "#platform/context.ts";
import { tracesSpans } from "#contract/topics.ts";
import type { SpanFact } from "#contract/traces.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError, PermanentError, unavailable } from "#kit/errors.ts";
import { EventLoopYielder, yieldToEventLoop } from "#kit/event-loop.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import type { Metrics } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import { RefusedBodies } from "#platform/http/refusals.ts";
import { factAttributes, factsOf, pack } from "../facts/index.ts";
import { KeyMatcher, MalformedRequest, type ResourceSpans } from "../otlp/decoding.ts";
import { decodeJson } from "../otlp/json.ts";
import { protobufSteps } from "../otlp/protobuf.ts";
import { Budget, type Reservation } from "./budget.ts";

/** Protocol of a request, as a metric label. */
export type Protocol = "http/protobuf" | "http/json" | "grpc" | "kafka";
export type OtlpEncoding = "protobuf" | "json";

interface SpanIntakeOptions extends Pick<Context, "events" | "clock" | "metrics"> {
  /** Bytes of requests at work at once. */
  maxInFlight: number;
  /** Bytes of large bodies of a client that may be rejected; 0: no limit. */
  maxRefusedBytes: number;
  /** Longest wait for the event log, milliseconds. */
  publishTimeoutMs: number;
}

/** What became of a request whose other spans are in the event log now. */
export interface IntakeResult {
  /** Spans that were refused, and why the first of them was. */
  refused: number;
  reason: string | null;
}

/** What was made of the spans of a request. */
interface ExtractedFacts {
  facts: SpanFact[];
  irrelevant: number;
  /** Spans that became facts or were irrelevant. */
  spans: number;
}

/** Bytes beyond which a body is large: decoded, it takes several times its size. */
const largeBody = 256 * 1024;
/** Large bodies that are decoded at the same time. */
export const maxConcurrentLarge = 1;
/** Milliseconds that a large body waits for others to be decoded. */
export const decodeWaitMs = 30_000;

/** Facts that are packed before the event loop may be yielded. */
const packBatchSize = 2_000;

/** Takes spans from all receivers and puts their facts into the event log. */
export class SpanIntake {
  readonly budget: Budget;
  readonly #wanted: KeyMatcher;
  readonly #partitions: Partitions;
  readonly #count;
  readonly #largeBodies: ConcurrencyLimiter;
  #closed = false;

  constructor(private readonly options: SpanIntakeOptions) {
    const { maxInFlight, maxRefusedBytes: allowance, metrics } = options;
    this.budget = new Budget(maxInFlight, metrics, new RefusedBodies({ allowance, metrics }));
    this.#wanted = new KeyMatcher(factAttributes);
    this.#partitions = new Partitions(options.events, options.clock);
    this.#count = intakeMetrics(options.metrics);
    this.#largeBodies = new ConcurrencyLimiter({
      concurrency: maxConcurrentLarge,
      // Each holds a reservation of more than `largeBody` bytes, so the budget admits no more of them.
      maxWaiting: Math.ceil(maxInFlight / largeBody),
      waitMs: decodeWaitMs,
      refused: "Too many large bodies of spans are being decoded",
      waiting: metrics.gauge(
        "tributary_traces_decode_waiting",
        "Large bodies of spans waiting to be decoded",
      ),
    });
  }

  /** From now on everything new is refused with 503. */
  close(): void {
    this.#closed = true;
  }

  reopen(): void {
    this.#closed = false;
  }

  /** Throws 503 once closed; receivers ask before they read a body. */
  assertOpen(): void {
    if (this.#closed) throw unavailable("The trace gateway is stopping", 1);
  }

  /**
   * Decodes a request and resolves when the facts of its spans are in the event log. Throws
   * `MalformedRequest` (do not retry) and `AppError` 503 (retry). The `reservation` is that of
   * the body; it grows when what waits for the event log is larger.
   */
  async accept(
    body: Uint8Array,
    { encoding, protocol }: { encoding: OtlpEncoding; protocol: Protocol },
    reservation: Reservation,
  ): Promise<IntakeResult> {
    try {
      this.assertOpen();
      const extract = () => {
        reservation.assertWelcome();
        return this.#extract(body, encoding, protocol);
      };
      const { extracted, ...taken } =
        await (body.length <= largeBody ? extract() : this.#largeBodies.run(async () => {
          await yieldToEventLoop();
          return await extract();
        }));
      await this.#store(extracted, protocol, reservation);
      this.#count.request(protocol, "accepted");
      return taken;
    } catch (error) {
      this.#count.request(protocol, error instanceof MalformedRequest ? "malformed" : "refused");
      throw error;
    }
  }

  /** Counts a request that was refused before it could be decoded. */
  refusedUnread(protocol: Protocol): void {
    this.#count.request(protocol, "refused");
  }

  /** Decodes a body and makes the facts of its spans; the decoded spans are not kept. */
  async #extract(body: Uint8Array, encoding: OtlpEncoding, protocol: Protocol) {
    const yielder = new EventLoopYielder();
    const decoded = encoding === "json"
      ? decodeJson(body, this.#wanted)
      : await runSteps(protobufSteps(body, this.#wanted), yielder);
    this.#count.received(protocol, decoded.received);
    this.#count.refused("malformed_id", decoded.refused);
    const extracted: ExtractedFacts = { facts: [], irrelevant: 0, spans: 0 };
    let unreadable = 0;
    for (const some of chunksOf(decoded.resourceSpans)) {
      await yielder.yieldWhenDue();
      const made = factsOf(some);
      for (const fact of made.facts) extracted.facts.push(fact);
      extracted.irrelevant += made.irrelevant;
      unreadable += made.unreadable;
    }
    this.#count.refused("unreadable", unreadable);
    const refused = decoded.refused + unreadable;
    extracted.spans = decoded.received - refused;
    const reason = decoded.reason ?? (unreadable > 0 ? "a span cannot be read" : null);
    return { extracted, refused, reason };
  }

  async #store(
    { facts, irrelevant, spans }: ExtractedFacts,
    protocol: Protocol,
    reservation: Reservation,
  ): Promise<void> {
    try {
      if (facts.length > 0) await this.#publish(facts, reservation);
    } catch (error) {
      this.#count.refused("event_log_unavailable", spans);
      throw error;
    }
    this.#count.dropped("irrelevant", irrelevant);
    this.#count.accepted(protocol, spans - irrelevant);
  }

  async #publish(facts: SpanFact[], reservation: Reservation): Promise<void> {
    const { clock, events, publishTimeoutMs } = this.options;
    const begun = clock.now();
    const partitions = await this.#partitions.count(publishTimeoutMs);
    const records = await this.#packed(facts, partitions);
    const timeoutMs = Math.max(1, publishTimeoutMs - (clock.now() - begun));
    // Frees the facts: while the event log is slow, only the packed records stay in memory.
    facts.length = 0;
    reservation.weigh(records.reduce((sum, { value }) => sum + value.byteLength, 0));
    await events.publish(tracesSpans, records, { timeoutMs }).catch((error) => {
      if (error instanceof AppError || error instanceof PermanentError) throw error;
      // Any other failure is answered as retryable, so that the exporter keeps the spans.
      throw unavailable("The event log did not take the spans", 5, error);
    });
  }

  async #packed(facts: SpanFact[], partitions: number): Promise<NewRecord[]> {
    const records: NewRecord[] = [];
    const yielder = new EventLoopYielder();
    for (let from = 0; from < facts.length; from += packBatchSize) {
      await yielder.yieldWhenDue();
      records.push(...pack(facts.slice(from, from + packBatchSize), partitions));
    }
    return records;
  }
}

/** Runs all steps of a generator and yields the event loop in between; resolves with what it returns. */
async function runSteps<T>(
  steps: Generator<unknown, T>,
  yielder: EventLoopYielder,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yielder.yieldWhenDue();
  }
}

/** Spans that facts are made of before the event loop may be yielded. */
const chunkSize = 100;

/** The same spans in chunks of at most `max`. */
export function* chunksOf(all: ResourceSpans[], max = chunkSize): Generator<ResourceSpans[]> {
  let chunk: ResourceSpans[] = [];
  let size = 0;
  for (const { resource, spans } of all) {
    for (let from = 0; from < spans.length;) {
      const some = spans.slice(from, from + max - size);
      chunk.push({ resource, spans: some });
      from += some.length;
      size += some.length;
      if (size < max) continue;
      yield chunk;
      [chunk, size] = [[], 0];
    }
  }
  if (size > 0) yield chunk;
}

/** Milliseconds after which the number of partitions is read again. */
const freshMs = 60_000;

/** How many partitions the topic of span facts has, which may differ from what is configured. */
class Partitions {
  #known: number | undefined;
  #fetchedAt = 0;

  constructor(private readonly events: EventLog, private readonly clock: Clock) {}

  /** Rejects with 503 when it was never known and the event log does not say within `timeoutMs`. */
  async count(timeoutMs: number): Promise<number> {
    const now = this.clock.now();
    if (this.#known === undefined) return await this.#ask(timeoutMs);
    // The known number stays in use while it is read again, also when that fails.
    if (now - this.#fetchedAt > freshMs) this.#ask(timeoutMs).catch(() => {});
    return this.#known;
  }

  async #ask(timeoutMs: number): Promise<number> {
    this.#fetchedAt = this.clock.now();
    const late = () => unavailable("The event log did not answer in time");
    const bounds = await withTimeout(this.events.bounds(tracesSpans), timeoutMs, late);
    if (bounds.length === 0) throw unavailable(`The event log has no topic ${tracesSpans}`);
    return this.#known = bounds.length;
  }
}

/** Metrics of the intake: received = accepted + refused + dropped, once no request is at work. */
function intakeMetrics(metrics: Metrics) {
  const requests = metrics.counter(
    "tributary_traces_requests_total",
    "Trace requests, by protocol and outcome",
    ["protocol", "outcome"],
  );
  const received = metrics.counter(
    "tributary_traces_spans_received_total",
    "Spans that were decoded",
    ["protocol"],
  );
  const accepted = metrics.counter(
    "tributary_traces_spans_accepted_total",
    "Spans whose facts are in the event log",
    ["protocol"],
  );
  const refused = metrics.counter(
    "tributary_traces_spans_refused_total",
    "Spans that were refused",
    ["reason"],
  );
  const dropped = metrics.counter(
    "tributary_traces_spans_dropped_total",
    "Accepted spans without a stored fact",
    ["reason"],
  );
  const add = (counter: typeof received, labels: Record<string, string>, count: number) => {
    if (count > 0) counter.inc(labels, count);
  };
  return {
    request: (protocol: string, outcome: "accepted" | "malformed" | "refused") =>
      requests.inc({ protocol, outcome }),
    received: (protocol: string, count: number) => add(received, { protocol }, count),
    accepted: (protocol: string, count: number) => add(accepted, { protocol }, count),
    refused: (reason: string, count: number) => add(refused, { reason }, count),
    dropped: (reason: string, count: number) => add(dropped, { reason }, count),
  };
}
