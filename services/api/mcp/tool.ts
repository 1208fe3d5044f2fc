import type { z } from "@hono/zod-openapi";
import { context as spans, SpanStatusCode, trace } from "@opentelemetry/api";
import { AppError } from "#kit/errors.ts";
import type { Counter, Histogram } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import { clean } from "#kit/text.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { admit, call, type CallInput, fieldPath } from "#platform/operations/call.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";
import { maxAnswer, toolMs } from "#services/api/mcp/limits.ts";
import { bytesOf } from "#services/api/mcp/shapes.ts";

/** What a tool works with: the catalogue, as the caller may see it. */
export interface ToolContext {
  context: Context;
  /** The queue of lineage requests, shared with the operations. */
  lineage: LineageQueue;
  ask: ApiClient;
}

/** A question that assistants may ask. It changes nothing. */
export interface Tool {
  name: string;
  title: string;
  /** What it answers and when to use it, for the assistant. */
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  answer(given: unknown, context: ToolContext): Promise<object>;
}

interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  /** Throws an `AppError` for what the caller can fix. The response fits (see `fitting`). */
  answer(given: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** Declares a tool; its schemas are shown to clients, and tests check its responses against them. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  return spec as unknown as Tool;
}

/** The operations of the API, by id, and who decides whether they may be called. */
interface Operations {
  routes: ReadonlyMap<string, Route>;
  authorizer: Authorizer;
}

/** An answer of an operation, parsed. */
interface ApiResponse {
  body: unknown;
  headers: Record<string, string>;
}

/**
 * API client of one caller: every tool reads through it, so that no permission, no disabled operation and no
 * validation is passed by. Arguments are given as in a URL: as text.
 */
export class ApiClient {
  constructor(
    private readonly operations: Operations,
    private readonly caller: Caller,
    private readonly request: Request,
  ) {}

  get actor(): Caller {
    return this.caller;
  }

  /** Calls an operation. Throws what it throws, and what refuses it. */
  async read(id: string, given: Omit<CallInput, "request"> = {}): Promise<ApiResponse> {
    const { authorizer } = this.operations;
    const reply = await call(
      this.#route(id),
      { ...given, request: this.request },
      this.caller,
      authorizer,
    );
    const body = reply.json === undefined ? reply.body : JSON.parse(reply.json);
    return { body, headers: reply.headers ?? {} };
  }

  /**
   * Refuses the caller as the operation would: before something that belongs to it is read in another shape, where its
   * answer would cost a statement for each item.
   */
  async allowed(id: string, params: Record<string, unknown> = {}): Promise<void> {
    await admit(this.#route(id), { params }, this.caller, this.operations.authorizer);
  }

  #route(id: string): Route {
    const route = this.operations.routes.get(id);
    if (!route) throw new Error(`there is no operation ${id}`);
    return route;
  }
}

const tracer = trace.getTracer("tributary.mcp");

/** What a client is answered: an object and the same as text, or the words of an error. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

const outcomes = ["ok", "refused", "failed"] as const;
type Outcome = (typeof outcomes)[number];

/** An error whose words are for the assistant. */
class ToolError extends Error {}

/** Runs tools: what they throw never reaches a client but as words that were meant for it. */
export class ToolCalls {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #calls: Counter;
  readonly #seconds: Histogram;

  constructor(
    private readonly context: Context,
    private readonly lineage: LineageQueue,
    tools: readonly Tool[],
  ) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    const { metrics } = context;
    this.#calls = metrics.counter(
      "tributary_mcp_calls_total",
      "Tool calls by assistants, by tool and outcome",
      ["tool", "outcome"],
    );
    this.#seconds = metrics.histogram(
      "tributary_mcp_call_duration_seconds",
      "Duration of tool calls by assistants",
      ["tool"],
    );
    for (const tool of this.#tools.keys()) {
      for (const outcome of outcomes) this.#calls.inc({ tool, outcome }, 0);
    }
  }

  /** Whether there is a tool of this name. */
  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Calls a tool with a client's arguments; it exists. Never rejects. */
  async call(name: string, given: unknown, ask: ApiClient): Promise<ToolResult> {
    const tool = this.#tools.get(name)!;
    const started = this.context.clock.now();
    const span = tracer.startSpan(`tool ${name}`, { attributes: { "tributary.mcp.tool": name } });
    const work = () => this.#answered(tool, given, ask);
    const { result, outcome } = await spans.with(trace.setSpan(spans.active(), span), work);
    span.setAttribute("tributary.mcp.outcome", outcome);
    if (outcome === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    this.#calls.inc({ tool: name, outcome });
    this.#seconds.observe({ tool: name }, (this.context.clock.now() - started) / 1_000);
    return result;
  }

  async #answered(
    tool: Tool,
    given: unknown,
    ask: ApiClient,
  ): Promise<{ result: ToolResult; outcome: Outcome }> {
    try {
      const answer = await withTimeout(this.#answer(tool, given, ask), toolMs, tooLong);
      return { result: resultOf(answer), outcome: "ok" };
    } catch (error) {
      const words = wordsFor(error);
      if (words !== undefined) return { result: errorOf(words), outcome: "refused" };
      const id = crypto.randomUUID();
      this.context.log.error("MCP tool failed", { tool: tool.name, id, error });
      const message = `internal error, id ${id}: see the log of the catalogue`;
      return { result: errorOf(message), outcome: "failed" };
    }
  }

  async #answer(tool: Tool, given: unknown, ask: ApiClient): Promise<object> {
    const parsed = await tool.input.safeParseAsync(given ?? {});
    if (!parsed.success) throw new ToolError(faultsOf(parsed.error));
    const answer = visible(
      await tool.answer(parsed.data, { context: this.context, lineage: this.lineage, ask }),
    ) as object;
    const bytes = bytesOf(answer);
    if (bytes > maxAnswer) throw new Error(`an answer of ${tool.name} has ${bytes} bytes`);
    return answer;
  }
}

const tooLong = () =>
  new ToolError(
    `The answer took longer than ${
      toolMs / 1_000
    } s and was aborted: request less (depth, filters), or retry later`,
  );

function resultOf(answer: object): ToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer as Record<string, unknown>,
  };
}

function errorOf(words: string): ToolResult {
  return { content: [{ type: "text", text: visibleText(words) }], isError: true };
}

/** Every invalid argument with what is allowed; at most ten. */
function faultsOf(error: z.ZodError): string {
  const faults = error.issues.slice(0, 10).map(({ path, message }) =>
    `${fieldPath(path) || "arguments"}: ${message}`
  );
  return `Invalid arguments: ${faults.join("; ")}`;
}

/** The text of an error for clients; undefined for an internal one. */
function wordsFor(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof AppError)) return undefined;
  const { message, retryAfter } = error;
  return retryAfter === undefined ? message : `${message}; try again in ${retryAfter} s`;
}

/** A text as people see it: an assistant reads characters that show nothing, and takes them for instructions. */
export function visibleText(text: string): string {
  return clean(text).replaceAll(carriers, "");
}

// Joiners and selectors of variations carry bits that nobody sees when they stand in rows; emoji and scripts need two at most.
const carriers = /[\u200c\u200d\ufe00-\ufe0f]{3,}|[\u{e0100}-\u{e01ef}\ufff9-\ufffb]/gu;

/** The value with all of its texts, and names of members, as people see them. */
export function visible(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, member]) =>
    [visibleText(name), visible(member)] as const
  );
  return Object.fromEntries(members);
}
