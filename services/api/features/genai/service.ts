import { AppError, badRequest, unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter, QueueFullError } from "#kit/limiter.ts";
import type { Counter } from "#kit/metrics.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Context } from "#platform/context.ts";
import {
  connectionCause,
  readUpTo,
  type Target,
  targetOf,
  TooLarge,
} from "#platform/http/outbound.ts";

/** Longest question, in UTF-16 units. */
export const maxQuestion = 10_000;
/** Largest answer of the service, in bytes. */
export const maxAnswer = 1_048_576;
/** Maximum number of questions of all callers that wait for their answer. */
export const maxConcurrent = 16;
export const maxConcurrentOfCaller = 4;

const ask = "POST /api/genai/ask";

/** Limits of questions in natural language. */
export const genAiLimits: Limit[] = [
  limit(ask, "question, UTF-16 units", maxQuestion),
  limit(ask, "questions at once", maxConcurrent, "503 with Retry-After"),
  limit(ask, "questions of one caller at once", maxConcurrentOfCaller, "429 with Retry-After"),
  limit(ask, "response of the service, bytes", maxAnswer, "500"),
  limit(ask, "time of a response", { key: "genai.request_timeout" }, "500"),
];

export interface GenAiOptions {
  /** Milliseconds of a minute, for tests. */
  minuteMs?: number;
}

type Deps = Pick<Context, "config" | "metrics" | "log">;
type Outcome = "answered" | "failed" | "timeout" | "cancelled" | "refused";

/** Passes questions on to the configured service, each once. */
export class GenAi {
  readonly #target: Target | null;
  readonly #minutes: number;
  readonly #minuteMs: number;
  readonly #stopped = new AbortController();
  readonly #count: Counter;
  readonly #places: ConcurrencyLimiter;

  constructor(private readonly context: Deps, { minuteMs = 60_000 }: GenAiOptions = {}) {
    const { config: { genai }, metrics } = context;
    this.#target = genai.enabled && genai.url ? queryTarget(genai.url) : null;
    this.#minutes = genai.request_timeout;
    this.#minuteMs = minuteMs;
    this.#count = metrics.counter(
      "tributary_genai_questions_total",
      "Questions in natural language, by outcome",
      ["outcome"],
    );
    this.#places = new ConcurrencyLimiter({
      concurrency: maxConcurrent,
      concurrencyPerKey: maxConcurrentOfCaller,
      maxWaiting: 0,
      waitMs: 0,
      refused: "Too many questions wait for their answer",
      refusedKey: "Too many questions of yours wait for their answer",
      retryAfter: 5,
      running: metrics.gauge(
        "tributary_genai_questions_waiting",
        "Questions waiting for an answer",
      ),
    });
  }

  /**
   * The answer as readable text. `signal` ends when the client has disconnected. Throws 400 when questions are
   * off, 500 when no answer comes in time or the service fails, 503 when too many wait, 429 when those of the caller do.
   */
  async ask(question: string, signal: AbortSignal, caller = ""): Promise<string> {
    const target = this.#target;
    if (target === null) throw badRequest("Gen AI is disabled");
    try {
      return await this.#places.run(() => this.#answer(target, question, signal), caller);
    } catch (error) {
      if (error instanceof QueueFullError) this.#count.inc({ outcome: "refused" });
      throw error;
    }
  }

  /** Ends the questions that wait. */
  stop(): void {
    this.#stopped.abort();
  }

  async #answer(target: Target, question: string, gone: AbortSignal): Promise<string> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#minutes * this.#minuteMs);
    const ends = [gone, this.#stopped.signal, late.signal];
    try {
      const answer = await post(target, question, AbortSignal.any(ends));
      this.#count.inc({ outcome: "answered" });
      return answer;
    } catch (error) {
      if (gone.aborted || this.#stopped.signal.aborted) throw this.#ended();
      throw late.signal.aborted ? this.#tooLate() : this.#failed(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #ended(): AppError {
    this.#count.inc({ outcome: "cancelled" satisfies Outcome });
    return unavailable("The question was aborted before its answer arrived", 5);
  }

  #tooLate(): AppError {
    this.#count.inc({ outcome: "timeout" satisfies Outcome });
    return failure(`Gen AI did not answer within ${this.#minutes} minutes (genai.request_timeout)`);
  }

  #failed(error: unknown): AppError {
    this.#count.inc({ outcome: "failed" satisfies Outcome });
    const cause = causeOf(error);
    this.context.log.warn("question was not answered", { cause });
    return failure(`Gen AI did not answer: ${cause}`);
  }
}

const failure = (message: string) => new AppError(message, { status: 500, code: "SYS001" });

/** What the service answered instead of an answer. */
class GenAiError extends Error {}

/** A fixed text: texts of others may contain the address, and so secrets, or the answer. */
function causeOf(error: unknown): string {
  if (error instanceof GenAiError || error instanceof TooLarge) return error.message;
  return connectionCause(error);
}

function queryTarget(address: string): Target {
  const target = targetOf(address);
  target.url.pathname = `${target.url.pathname.replace(/\/$/, "")}/query_data`;
  return target;
}

async function post({ url, headers }: Target, question: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, "content-type": "application/json" },
    // Text or bytes the runtime would send a second time, unasked, when the connection breaks.
    body: new Blob([JSON.stringify({ question })]),
    signal,
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new GenAiError(`the service answers ${answer.status}`);
  }
  return readable(new TextDecoder().decode(await readUpTo(answer, maxAnswer)));
}

const shorthands = new Map([["n", "\n"], ["t", "\t"], ["r", "\r"], ["b", "\b"], ["f", "\f"]]);

/**
 * What the service says, as people read it: without the quotes around it and with its escapes resolved.
 * Text that is neither quoted nor escaped stays as it is.
 */
export function readable(said: string): string {
  const bare = said.trim().replace(/^"/, "").replace(/"$/, "");
  return bare.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (_, code?: string, letter = "") =>
      code === undefined
        ? shorthands.get(letter) ?? letter
        : String.fromCharCode(parseInt(code, 16)),
  ).toWellFormed();
}
