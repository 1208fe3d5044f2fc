import { type Attributes, context, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import { withTimeout } from "#kit/retry.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { continued } from "#platform/telemetry/trace-context.ts";
import type { ClaimedItem, Outcome, Unsent } from "./queue.ts";

/** What delivers the items of an outbox. */
export interface OutboxChannel<I> {
  /** Attempts at once, in this process. */
  readonly concurrency: number;
  /** One attempt; ends within the time of the policy, or soon after `signal` aborts. */
  send(item: I, signal: AbortSignal): Promise<Outcome | Unsent>;
}

/** The span around an attempt. */
export interface AttemptSpan<I> {
  tracer: Tracer;
  name: string;
  /** Of the names of all attributes. */
  prefix: string;
  attributes(item: I): Attributes;
}

/** Milliseconds that a channel may take beyond its time before it is not waited for. */
const graceMs = 1_000;

/** One attempt; never throws, and ends soon after `attemptMs` whatever the channel does. */
export async function attempt<I extends ClaimedItem>(
  channel: OutboxChannel<I>,
  item: I,
  attemptMs: number,
  stopping: AbortSignal,
): Promise<Outcome | Unsent> {
  if (performance.now() > item.sendBefore) {
    return { kind: "unsent", cause: "the process was delayed" };
  }
  const late = new AbortController();
  const signal = AbortSignal.any([stopping, late.signal]);
  try {
    const sent = channel.send(item, signal);
    return await withTimeout(sent, attemptMs + graceMs, () => new Late());
  } catch (error) {
    late.abort();
    if (error instanceof Late) {
      return { kind: "retry", cause: `no end within ${attemptMs} ms`, pausesChannel: true };
    }
    // Channels read before they send.
    if (isMetadataDown(error)) {
      return { kind: "unsent", cause: "the metadata store is not available" };
    }
    // The text of an unexpected error may contain an address or a secret.
    const name = error instanceof Error ? error.name : typeof error;
    return { kind: "retry", cause: `the channel broke (${name})`, pausesChannel: false };
  }
}

class Late extends Error {}

/** One span around an attempt, in the trace that queued the item; an outcome with a cause is an error. */
export async function tracedAttempt<I extends ClaimedItem>(
  { tracer, name, prefix, attributes }: AttemptSpan<I>,
  item: I,
  work: () => Promise<Outcome | Unsent>,
): Promise<Outcome | Unsent> {
  const parent = continued(item.traceparent);
  const named = Object.entries(attributes(item)).map(([key, value]) => [`${prefix}.${key}`, value]);
  const span = tracer.startSpan(name, { attributes: Object.fromEntries(named) }, parent);
  try {
    const ended = await context.with(trace.setSpan(parent, span), work);
    span.setAttribute(`${prefix}.outcome`, ended.kind);
    if ("cause" in ended) span.setStatus({ code: SpanStatusCode.ERROR, message: ended.cause });
    return ended;
  } finally {
    span.end();
  }
}
