import { inspectJson } from "#contract/ingestion/inspect.ts";
import { loadedOnce } from "#kit/on-demand.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import type { Page, PageRequest } from "#platform/http/pages.ts";
import { requireType } from "#platform/http/take.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";
import { maxMessage, messageHolds } from "#services/api/mcp/limits.ts";
import type { Operations } from "#services/api/mcp/protocol.ts";
import { type Tool, ToolCalls } from "#services/api/mcp/tool.ts";
import { tools as allTools } from "#services/api/mcp/tools/all.ts";

interface McpOptions extends Operations {
  lineage: LineageQueue;
  /** Instead of all; for tests. */
  tools?: readonly Tool[];
}

/**
 * The endpoint for assistants: the Model Context Protocol at `/mcp`, stateless. Each request is answered by itself, in
 * either revision of the protocol. The caller is authenticated before, as for any page; hosts and origins were checked by
 * the gate. Not there when `mcp.enabled` is off.
 */
export function mcpPages(context: Context, options: McpOptions): Page[] {
  if (!context.config.mcp.enabled) return [];
  const { tools = allTools, lineage } = options;
  // Made at once, for their metrics.
  const calls = new ToolCalls(context, lineage, tools);
  // Loaded by the first message: the library of the protocol takes memory in each process.
  const protocol = loadedOnce(async () =>
    (await import("#services/api/mcp/protocol.ts")).protocolOf(context, {
      ...options,
      tools,
      calls,
    })
  );
  const body = new BodyReader({
    maxBytes: maxMessage,
    timeoutMs: context.config.server["body-timeout"],
  });
  const respond = async ({ request, caller }: PageRequest) => {
    requireType(request, "json");
    return await body.read(request, async (bytes) => {
      inspectJson(bytes, messageHolds);
      const message = parsed(bytes);
      if (typeof message === "string") return refused(message);
      const answer = await protocol();
      return await answer(request, message, caller);
    });
  };
  return [{ path: "/mcp", method: "post", access: "signed-in", respond }];
}

/** A message, or why it is invalid. */
function parsed(bytes: Uint8Array): object | string {
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return "The body is no JSON";
  }
  if (Array.isArray(message)) return "Send one message a request: batches are not taken";
  return typeof message === "object" && message !== null ? message : "A message is a JSON object";
}

function refused(message: string): Response {
  const error = { code: -32600, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 400 });
}
