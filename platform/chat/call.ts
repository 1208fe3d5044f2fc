import { z } from "zod";
import type { Metrics } from "#kit/metrics.ts";
import { connectionCause, deadline, readUpTo, retryAfter } from "#platform/http/outbound.ts";
import { failureOf, ProviderFailure } from "./port.ts";

/** Largest answer of the provider, bytes: a page of a thousand channels is about 1.5 MB. */
export const maxAnswerBytes = 8 * 1_048_576;
/** Milliseconds in which the provider must have answered. */
export const answerMs = 10_000;

export interface CallOptions {
  /** Base address of the Web API. */
  apiUrl: string;
  /** Bot token. */
  token: string;
  metrics: Metrics;
  timeoutMs?: number;
}

/** A request: methods that write take JSON, those that read take a form. */
interface ApiRequest<T> {
  method: string;
  form?: Record<string, string>;
  json?: unknown;
  answer: z.ZodType<T>;
  signal?: AbortSignal;
}

/** A response, with the scopes of the token if the provider reports them. */
interface ApiResponse<T> {
  answer: T;
  /** Null if the provider does not report them. */
  scopes: readonly string[] | null;
}

const never = new AbortController().signal;

/** Calls the Web API of the provider: one request, one answer, within a time and a size. */
export class WebApi {
  readonly #calls;
  readonly #seconds;

  constructor(private readonly options: CallOptions) {
    this.#calls = options.metrics.counter(
      "tributary_chat_calls_total",
      "Calls to the chat provider, by outcome",
      ["method", "outcome"],
    );
    this.#seconds = options.metrics.histogram(
      "tributary_chat_call_seconds",
      "Duration of calls to the chat provider",
      ["method"],
    );
  }

  /** Rejects with a `ProviderFailure`. */
  async call<T>(request: ApiRequest<T>): Promise<ApiResponse<T>> {
    const { method } = request;
    const began = performance.now();
    let outcome: string = "ok";
    try {
      return await this.#ask(request);
    } catch (error) {
      outcome = error instanceof ProviderFailure ? error.kind : "broken";
      throw error;
    } finally {
      this.#calls.inc({ method, outcome });
      this.#seconds.observe({ method }, (performance.now() - began) / 1_000);
    }
  }

  async #ask<T>(
    { method, form, json, answer, signal = never }: ApiRequest<T>,
  ): Promise<ApiResponse<T>> {
    const { timeoutMs = answerMs } = this.options;
    const until = deadline(timeoutMs, signal);
    let response: Response;
    let body: Uint8Array;
    try {
      response = await this.#post(method, form, json, until.signal);
      body = await readUpTo(response, maxAnswerBytes);
    } catch (error) {
      const late = { time: `no answer within ${timeoutMs} ms`, stopped: "stopped meanwhile" };
      const why = until.ended();
      throw new ProviderFailure("unanswered", why ? late[why] : connectionCause(error));
    } finally {
      until.clear();
    }
    const scopes = response.headers.get("x-oauth-scopes");
    return {
      answer: readAnswer(response, body, answer),
      scopes: scopes === null ? null : scopes.split(",").map((scope) => scope.trim()),
    };
  }

  #post(method: string, form: ApiRequest<never>["form"], json: unknown, signal: AbortSignal) {
    const { apiUrl, token } = this.options;
    const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json";
    const body = json === undefined ? new URLSearchParams(form).toString() : JSON.stringify(json);
    return fetch(`${apiUrl.replace(/(?<!\/)\/+$/, "")}/${method}`, {
      method: "POST",
      redirect: "manual",
      headers: { authorization: `Bearer ${token}`, "content-type": `${type}; charset=utf-8` },
      // Text or bytes the runtime would send a second time, unasked, when the connection breaks.
      body: new Blob([body]),
      signal,
    });
  }
}

const utf8 = new TextDecoder();

function readAnswer<T>(response: Response, body: Uint8Array, schema: z.ZodType<T>): T {
  const { status, headers } = response;
  const afterMs = retryAfter(headers.get("retry-after"), Date.now());
  if (status === 429) throw failureOf("ratelimited", afterMs);
  if (status >= 500) {
    throw new ProviderFailure("transient", `the provider failed (${status})`, { afterMs });
  }
  if (status !== 200) throw new ProviderFailure("permanent", `refused by the provider (${status})`);
  const given = parsed(body);
  const refusal = Refusal.safeParse(given);
  if (refusal.success) throw failureOf(refusal.data.error, afterMs);
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw new ProviderFailure("unanswered", "the answer cannot be read");
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

// What is read of the provider's answers. Everything else in them is ignored.

const ok = { ok: z.literal(true) };

const Refusal = z.object({ ok: z.literal(false), error: z.string().max(1_000) });

/** A message's id: seconds, and six decimals that distinguish ids of one second. */
export const ProviderId = z.string().regex(/^\d{1,10}\.\d{1,6}$/);

const Channel = z.object({
  id: z.string().min(1).max(100),
  name: z.string().max(500).optional(),
  is_archived: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_private: z.boolean().optional(),
});
export type Channel = z.output<typeof Channel>;

const Cursor = z.object({ next_cursor: z.string().max(2_000).optional() }).nullish();

export const ChannelPage = z.object({
  ...ok,
  channels: z.array(Channel).max(2_000),
  response_metadata: Cursor,
});

export const ChannelInfo = z.object({ ...ok, channel: Channel });

export const Posted = z.object({ ...ok, ts: ProviderId });

export const History = z.object({
  ...ok,
  messages: z.array(z.object({
    ts: ProviderId,
    metadata: z.object({
      event_type: z.string(),
      event_payload: z.object({ message_id: z.string().optional() }).catch({}),
    }).optional().catch(undefined),
  })).max(2_000),
  response_metadata: Cursor,
});

export const Permalink = z.object({ ...ok, permalink: z.string().max(2_000) });

const text = z.string().max(2_000).optional().catch(undefined);

export const UserInfo = z.object({
  ...ok,
  user: z.object({
    name: text,
    real_name: text,
    profile: z.object({ display_name: text, real_name: text, image_72: text }).optional(),
  }),
});
