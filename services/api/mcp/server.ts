import { Server } from "@modelcontextprotocol/server";
import { z } from "@hono/zod-openapi";
import { version } from "#platform/version.ts";
import type { ApiClient } from "#services/api/mcp/ask.ts";
import type { ToolCalls } from "#services/api/mcp/calls.ts";
import { instructions } from "#services/api/mcp/instructions.ts";
import type { Tool } from "#services/api/mcp/tool.ts";

/** A tool as listed to clients. */
export function described({ name, title, description, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, "input"),
    outputSchema: schemaOf(output, "output"),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Without its dialect, which older clients look up and do not know; nothing in it differs between dialects. */
function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, target: "draft-7" });
  return json as { type: "object"; [member: string]: unknown };
}

interface ServerDeps {
  tools: readonly ReturnType<typeof described>[];
  calls: ToolCalls;
  ask: ApiClient;
}

/** A server for one request of one caller: it keeps nothing. */
export function serverOf({ tools, calls, ask }: ServerDeps): Server {
  const server = new Server(
    { name: "tributary", title: "Tributary", version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const { name, arguments: given } = params;
    if (calls.has(name)) return await calls.call(name, given, ask);
    const known = tools.map((tool) => tool.name).join(", ");
    const text = `There is no tool of this name; there are ${known}`;
    return { content: [{ type: "text" as const, text }], isError: true };
  });
  return server;
}
