import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { inspectJson } from "#contract/ingestion/inspect.ts";
import { messageOf } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import type { Page, PageRequest } from "#platform/http/pages.ts";
import { requireType } from "#platform/http/take.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { LineageQueue } from "#services/api/features/lineage/service.ts";
import { ToolCalls } from "#services/api/mcp/calls.ts";
import { maxMessage, messageHolds } from "#services/api/mcp/limits.ts";
import { described, serverOf } from "#services/api/mcp/server.ts";
import { ApiClient, type Tool } from "#services/api/mcp/tool.ts";
import { tools as allTools } from "#services/api/mcp/tools/all.ts";

interface McpOptions {
  /** The operations that tools ask. */
  routes: Route[];
  authorizer: Authorizer;
  lineage: LineageQueue;
  /** Instead of all; for tests. */
  tools?: readonly Tool[];
}

/**
 * The endpoint for assistants. The Model Context Protocol at `/mcp`, stateless: each request is answered by itself, in either revision of the
 * protocol. The caller is authenticated before, as for any page; hosts and origins were checked by the gate. Not there when
 * `mcp.enabled` is off.
 */
export function mcpPages(context: Context, options: McpOptions): Page[] {
  if (!context.config.mcp.enabled) return [];
  const answer = protocolOf(context, options);
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
      return await answer(request, message, caller);
    });
  };
  return [{ path: "/mcp", method: "post", access: "signed-in", respond }];
}

const utf8 = new TextDecoder();

/** A message, or why it is invalid. */
function parsed(bytes: Uint8Array): object | string {
  let message: unknown;
  try {
    message = JSON.parse(utf8.decode(bytes));
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

/** Both revisions of the protocol over the same tools. Responses are complete: no tool sends anything before its response. */
function protocolOf(
  context: Context,
  { routes, authorizer, lineage, tools = allTools }: McpOptions,
) {
  const operations = { routes: new Map(routes.map((one) => [one.spec.id, one])), authorizer };
  const calls = new ToolCalls(context, lineage, tools);
  const listed = tools.map(described);
  const serverFor = (caller: Caller, request: Request) =>
    serverOf({ tools: listed, calls, ask: new ApiClient(operations, caller, request) });
  const modern = createMcpHandler(
    ({ authInfo, requestInfo }) => serverFor(callerIn(authInfo), requestInfo!),
    {
      legacy: "reject",
      // Nothing is sent later, so listening is refused.
      maxSubscriptions: 0,
      onerror: (error) => context.log.debug("MCP message refused", { error: messageOf(error) }),
    },
  );
  return async (request: Request, parsedBody: object, caller: Caller): Promise<Response> => {
    if (!await isLegacyRequest(request, parsedBody)) {
      return await modern.fetch(request, { authInfo: authOf(caller), parsedBody });
    }
    return await answerOlder(serverFor(caller, request), request, parsedBody);
  };
}

/** The caller, as the library passes on who is known. */
const authOf = (caller: Caller): AuthInfo => ({
  token: "",
  clientId: "",
  scopes: [],
  extra: { caller },
});
const callerIn = (auth: AuthInfo | undefined) => auth!.extra!.caller as Caller;

/** Answers a message of the revisions with a handshake: without a session, and in one piece. */
async function answerOlder(server: Server, request: Request, parsedBody: object) {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
