import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { maxChannelId } from "#contract/catalogue/messages.ts";
import { inspectJson } from "#contract/ingestion/inspect.ts";
import { AppError, badRequest, tooLarge, unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { isObject } from "#kit/own.ts";
import { bounded } from "#kit/text.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { ProviderId } from "#platform/chat/call.ts";
import type { ChatEventCounter } from "#platform/chat/port.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";

/** Largest body of one event, bytes: a message of 40,000 letters, thrice, with what the provider adds. */
export const maxEventBody = 512 * 1_024;
/** What one body may hold besides. */
export const eventLimits = { containers: 20_000, members: 50_000, elements: 20_000 };
/** Maximum number of waiting and failed events; beyond it the provider is asked to retry. */
export const maxEvents = 20_000;
/** Longest text of a reply that is stored, UTF-16 units; the provider cuts at as many. */
export const maxReplyText = 40_000;
/** Events that are read at once, and that wait to be: in all, and of one network. The provider gives up after 3 s. */
export const eventQueue = {
  concurrency: 8,
  concurrencyPerKey: 2,
  maxWaiting: 256,
  maxWaitingPerKey: 64,
  waitMs: 2_500,
} as const;
/** Milliseconds in which an event must have come whole. */
export const eventBodyMs = 3_000;
const maxEventId = 200;
const maxChallenge = 1_000;

/** What the provider is answered: the word that it wants to hear back, nothing, or that there was no event. */
type EventAnswer = { challenge: string } | "taken" | "no event";

type Deps = Pick<Context, "db" | "config" | "clock" | "metrics">;

/** Takes events of the provider, and keeps those that concern threads that are known. */
export class EventIntake {
  readonly #bodies: BodyReader;
  readonly #turns: ConcurrencyLimiter;

  constructor(private readonly deps: Deps, private readonly metrics: ChatEventCounter) {
    this.#bodies = new BodyReader({
      maxBytes: maxEventBody,
      timeoutMs: Math.min(eventBodyMs, deps.config.server["body-timeout"]),
      tooLarge,
    });
    this.#turns = new ConcurrencyLimiter({
      ...eventQueue,
      refused: "Too many events are being read",
      refusedKey: "Too many events of your network are being read",
      waiting: deps.metrics.gauge(
        "tributary_chat_events_waiting",
        "Events of the chat provider waiting to be read",
      ),
      refusals: deps.metrics.counter(
        "tributary_chat_events_refused_total",
        "Events of the chat provider refused because too many were waiting, in total or from one network",
        ["limit"],
      ),
    });
  }

  /**
   * Throws 400 for what is no JSON object, 401 without a valid signature where one is required, 408, 429 and 503. The body
   * of a request without a signature is not read; others are read in turns, of which each network (`from`) has its share,
   * since whether a signature is good is known only at the end of what it signs.
   */
  async take(request: Request, from = ""): Promise<EventAnswer> {
    const { clock, config: { datacollaboration } } = this.deps;
    const isEnabled = datacollaboration["signing-secret"] !== undefined;
    if (isEnabled && !signatureOf(request.headers, clock.now())) throw this.#unsigned();
    const read = () => this.#bodies.read(request, (body) => this.#take(request.headers, body));
    return await this.#turns.run(read, from);
  }

  async #take(headers: Headers, body: Uint8Array): Promise<EventAnswer> {
    const { clock, config: { datacollaboration } } = this.deps;
    const secret = datacollaboration["signing-secret"];
    if (secret !== undefined && !isSigned(headers, body, { secret, now: clock.now() })) {
      throw this.#unsigned();
    }
    const given = objectOf(body);
    if (given.type === "url_verification") return { challenge: challengeOf(given.challenge) };
    const { event } = given;
    if (typeof event !== "object" || event === null) return "no event";
    await this.#keep(event, eventIdOf(given.event_id, body));
    return "taken";
  }

  #unsigned(): AppError {
    this.metrics.event("unsigned");
    return new AppError("The event is not signed by the chat provider, or too old", {
      status: 401,
      code: "USR001",
      resolvable: true,
    });
  }

  async #keep(event: object, eventId: string): Promise<void> {
    const { db, clock } = this.deps;
    const read = threadEventOf(event, clock.now());
    if (!read) return this.metrics.event("filtered");
    const { channelId, threadId, providerId, editId, userId, text } = read;
    const values = [eventId, channelId, threadId, providerId, editId, userId, text, maxEvents];
    // change-ok -- the queue's own state
    const [result] = await retryingTransaction(db, (tx) => tx.query(addEvent, values));
    const { known, full, queued } = result!;
    if (known && full) {
      this.metrics.event("full");
      throw unavailable("Too many events wait to be taken in", 60);
    }
    this.metrics.event(!known ? "filtered" : queued ? "queued" : "repeated");
  }
}

interface Envelope {
  type?: unknown;
  challenge?: unknown;
  event?: unknown;
  event_id?: unknown;
}

function objectOf(body: Uint8Array): Envelope {
  inspectJson(body, eventLimits);
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw badRequest("Malformed JSON in request body");
  }
  if (isObject(given)) return given;
  throw badRequest("The body must be an object", [{ field: "body", message: "must be an object" }]);
}

function challengeOf(challenge: unknown): string {
  if (typeof challenge === "string" && challenge.length <= maxChallenge) return challenge;
  const message = `must be a text of at most ${maxChallenge} characters`;
  throw badRequest(`challenge: ${message}`, [{ field: "challenge", message }]);
}

/** The provider's id of the event; without one, the same for the same body. */
function eventIdOf(id: unknown, body: Uint8Array): string {
  const usable = typeof id === "string" && id.length <= maxEventId && /^[!-~]+$/.test(id);
  return usable ? id : createHash("sha256").update(body).digest("hex");
}

/** Milliseconds by which the time of a signature may be off; what is older may be a replay. */
const signatureAgeMs = 300_000;

const signatureForm = /^v0=([0-9a-f]{64})$/;

/** The signature that a request comes with, and what it signs besides the body. */
interface Signature {
  timestamp: string;
  given: string;
}

/** The signature of a request; undefined where it has none, or one of another time. Needs no body. */
function signatureOf(headers: Headers, now: number): Signature | undefined {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  const [, given] = signatureForm.exec(headers.get("x-slack-signature") ?? "") ?? [];
  if (!/^\d{1,12}$/.test(timestamp) || given === undefined) return undefined;
  if (Math.abs(now - Number(timestamp) * 1_000) > signatureAgeMs) return undefined;
  return { timestamp, given };
}

/**
 * Whether the provider signed this body with the secret, at this time (milliseconds) or shortly before: HMAC-SHA256 of
 * `v0:<timestamp>:<body>`. Compared in constant time.
 */
export function isSigned(
  headers: Headers,
  body: Uint8Array,
  { secret, now }: { secret: string; now: number },
): boolean {
  const signature = signatureOf(headers, now);
  if (!signature) return false;
  const { timestamp, given } = signature;
  const wanted = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest();
  const bytes = Uint8Array.from(given.match(/../g)!, (pair) => parseInt(pair, 16));
  return timingSafeEqual(wanted, bytes);
}

interface EnqueueResult {
  known: boolean;
  full: boolean;
  queued: boolean;
}

/**
 * $1 event, $2 channel, $3 thread, $4 reply, $5 edit, $6 user, $7 text, $8 most events. An event of a thread that is
 * not known is stored only while one of our messages is being sent to the channel, since it may belong to that one.
 */
const addEvent = statement<EnqueueResult>("chat-event-add")`
  WITH place AS (
    SELECT EXISTS (SELECT FROM message
                    WHERE channel_id = $2 AND provider_id = $3 AND root_id IS NULL)
             OR EXISTS (SELECT FROM message
                         WHERE channel_id = $2 AND state = 'PENDING_SEND' AND uncertain) AS known,
           (SELECT count(*) FROM (SELECT FROM chat_event LIMIT $8) q) >= $8 AS full),
  added AS (
    INSERT INTO chat_event (event_id, channel_id, thread_id, provider_id, edit_id, user_id, text)
    SELECT $1, $2, $3, $4, $5, $6, $7 FROM place WHERE known AND NOT "full"
    ON CONFLICT (event_id) DO NOTHING RETURNING 1)
  SELECT known, "full", EXISTS (SELECT FROM added) AS queued,
         CASE WHEN EXISTS (SELECT FROM added) THEN pg_notify('chat_event', '') END
    FROM place`;

/** A thread event of the provider: a reply, or with `editId` the new text of a reply. */
interface ThreadEvent {
  channelId: string;
  threadId: string;
  providerId: string;
  /** When the text was changed; null for a new reply. */
  editId: string | null;
  userId: string | null;
  text: string;
}

/** Reads an event of the provider; null for one that concerns no reply. `now`: milliseconds. */
function threadEventOf(event: unknown, now: number): ThreadEvent | null {
  const read = replyOf(event) ?? changeOf(event, now);
  // The beginning of a thread is ours, or concerns us not.
  return read && read.threadId !== read.providerId ? read : null;
}

function replyOf(event: unknown): ThreadEvent | null {
  const { data } = Reply.safeParse(event);
  return data ? eventOf({ ...data, editId: null }) : null;
}

function changeOf(event: unknown, now: number): ThreadEvent | null {
  const { data } = Change.safeParse(event);
  if (!data) return null;
  const { channel, message, event_ts, ts } = data;
  const editId = message.edited?.ts ?? event_ts ?? ts ?? (now / 1_000).toFixed(6);
  return eventOf({ channel, ...message, editId });
}

function eventOf(
  { channel, user, text, ts, thread_ts, editId }: Omit<z.output<typeof Reply>, "type"> & {
    editId: string | null;
  },
): ThreadEvent {
  return {
    channelId: channel,
    threadId: thread_ts,
    providerId: ts,
    editId,
    userId: user ?? null,
    text: bounded(text, maxReplyText),
  };
}

const ChatId = z.string().regex(/^[!-~]+$/).max(maxChannelId);

const Reply = z.object({
  type: z.literal("message"),
  subtype: z.undefined().optional(),
  channel: ChatId,
  user: ChatId.optional().catch(undefined),
  text: z.string(),
  ts: ProviderId,
  thread_ts: ProviderId,
});

const Change = z.object({
  type: z.literal("message"),
  subtype: z.literal("message_changed"),
  channel: ChatId,
  ts: ProviderId.optional().catch(undefined),
  event_ts: ProviderId.optional().catch(undefined),
  message: z.object({
    user: ChatId.optional().catch(undefined),
    text: z.string(),
    ts: ProviderId,
    thread_ts: ProviderId,
    edited: z.object({ ts: ProviderId }).optional().catch(undefined),
  }),
});
