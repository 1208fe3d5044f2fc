import type { z } from "@hono/zod-openapi";
import type { Context } from "#platform/context.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";
import type { ApiClient } from "#services/api/mcp/ask.ts";

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
