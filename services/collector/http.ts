import type { z } from "zod";
import { connectionCause, TooLarge } from "#platform/http/outbound.ts";
import { SourceError, sourceErrorOf } from "#platform/connections/source-error.ts";
import type { Session } from "./connector.ts";
import { fetchFrom, type OpenedFetch } from "./runtime.ts";

/** Most bytes of an answer that is read whole. */
export const maxAnswer = 16 * 1024 * 1024;

interface HttpOptions {
  /** Address of the server, with the path below which everything is. */
  base: string;
  /** Value of the header `Authorization`. */
  authorization?: string | undefined;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
}

interface HttpRequest {
  method?: "GET" | "POST";
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form instead. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** Most bytes of the answer. */
  max?: number;
}

/** A refusal by the server, with its status. */
export class StatusError extends SourceError {
  constructor(readonly status: number, object: string) {
    const isSignIn = status === 401 || status === 403;
    const reason = isSignIn
      ? `the server refuses the credentials (${status})`
      : status === 404
      ? "there is no such resource (404)"
      : `the server answers with status ${status}`;
    const remedy = isSignIn
      ? "Enter the credentials again, and check what they may read"
      : status === 404
      ? "Check the address"
      : "See the log of the server, and try again later";
    super(object, reason, remedy);
  }
}

/** `Authorization` of a user with a password; undefined without a user. */
export function basicAuth(user: string | undefined, password = ""): string | undefined {
  if (!user) return undefined;
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** An answer of a kind of server, such as `Airflow`; throws a `SourceError` about `object` for that of another one. */
export function answerOf<T>(
  server: string,
  schema: z.ZodType<T>,
  answer: unknown,
  object: string,
): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SourceError(object, `the answer is not that of ${server}`, "Check the address");
}

/** An answer; null where the server refuses it with one of these statuses. */
export async function unlessStatus<T>(answer: Promise<T>, statuses = [404]): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StatusError && statuses.includes(error.status)) return null;
    throw error;
  }
}

/**
 * Requests to one server: to allowed hosts only, without redirects, each answer bounded, and ended with the run. What the
 * server says of a failure is never repeated: it may hold values and secrets.
 */
export class SourceHttp {
  #opened: Promise<OpenedFetch> | undefined;
  readonly #base: URL;

  constructor(
    private readonly session: Pick<Session, "address" | "signal" | "statementTimeoutMs">,
    private readonly options: HttpOptions,
  ) {
    this.#base = new URL(options.base.endsWith("/") ? options.base : `${options.base}/`);
  }

  /** The answer as JSON; throws a `SourceError`. */
  async json(path: string, request: HttpRequest = {}): Promise<unknown> {
    let text = "";
    for await (const chunk of this.text(path, request)) text += chunk;
    try {
      return JSON.parse(text);
    } catch {
      throw new SourceError(this.#object(path), "the answer is not JSON", "Check the address");
    }
  }

  /** The answer as text, as it arrives; throws a `SourceError`. */
  async *text(path: string, request: HttpRequest = {}): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const bytes of this.bytes(path, request)) {
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  }

  /** The answer as it arrives; the time limit is that of the first byte and of every pause. Throws a `SourceError`. */
  async *bytes(path: string, request: HttpRequest = {}): AsyncGenerator<Uint8Array> {
    const { signal, statementTimeoutMs } = this.session;
    signal.throwIfAborted();
    const idle = new IdleTimeout(statementTimeoutMs, signal);
    try {
      const answer = await this.#send(path, request, idle.signal);
      let size = 0;
      for await (const bytes of answer.body ?? []) {
        idle.stop();
        size += bytes.length;
        if (size > (request.max ?? maxAnswer)) throw new TooLarge(request.max ?? maxAnswer);
        yield bytes;
        idle.start();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw this.#errorOf(error, path, idle.isOver);
    } finally {
      idle.stop();
    }
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    await this.#opened?.then((opened) => opened.close(), () => {});
  }

  async #send(path: string, request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { fetch } = await (this.#opened ??= this.#open());
    const { authorization } = this.options;
    const { type, body } = bodyOf(request);
    const answer = await fetch(new URL(path, this.#base), {
      method: request.method ?? "GET",
      headers: {
        accept: "application/json",
        ...(authorization ? { authorization } : {}),
        ...(type ? { "content-type": type } : {}),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    });
    if (answer.ok) return answer;
    await answer.body?.cancel().catch(() => {});
    throw new StatusError(answer.status, this.#object(path));
  }

  async #open(): Promise<OpenedFetch> {
    const address = await this.session.address(this.#base.hostname.replace(/^\[|\]$/g, ""));
    return fetchFrom(this.#base, address, this.options.ca);
  }

  #object(path: string): string {
    return `${this.#base.host}${new URL(path, this.#base).pathname}`;
  }

  #errorOf(error: unknown, path: string, isLate: boolean): SourceError {
    return sourceErrorOf(this.#object(path), error, () => {
      if (isLate) {
        return ["the server took too long to answer", "Raise connections.statement-timeout"];
      }
      return error instanceof TooLarge
        ? [error.message, "Exclude what is not needed at the source"]
        : [connectionCause(error), "Check address, firewall and TLS"];
    });
  }
}

function bodyOf({ body, form }: HttpRequest): { type?: string; body?: string } {
  if (form) {
    const type = "application/x-www-form-urlencoded";
    return { type, body: new URLSearchParams(form).toString() };
  }
  return body === undefined ? {} : { type: "application/json", body: JSON.stringify(body) };
}

/** Aborts when nothing arrives for a while, or with the run; not while the reader is at work. */
class IdleTimeout {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;
  isOver = false;

  constructor(private readonly ms: number, outer: AbortSignal) {
    this.signal = AbortSignal.any([this.#abort.signal, outer]);
    this.start();
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#abort.abort();
    }, this.ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
