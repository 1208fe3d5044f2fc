import type { z } from "@hono/zod-openapi";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { admit, call, type CallInput } from "#platform/operations/call.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";

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
  /** Throws an `AppError` for what the caller can fix. The response fits (`fit.ts`). */
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
