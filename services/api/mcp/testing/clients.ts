import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client";
import type { ToolResult } from "#services/api/mcp/tool.ts";

/** A tool as a client knows it. */
export interface ListedTool {
  name: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: { readOnlyHint?: boolean };
}

/** What both official clients do. Their own checks hold every answer to the schema of its tool. */
export interface McpClient {
  instructions(): string | undefined;
  /** The revision of the protocol that it and the server speak. */
  revision(): string | undefined;
  tools(): Promise<ListedTool[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

type Connect = (url: string, headers: Record<string, string>) => Promise<McpClient>;

/** Its types are not found by this path, and it not by that of its types. */
const olderTransport = "@modelcontextprotocol/sdk/client/streamableHttp.js";

const info = { name: "test", version: "1" };

/** The parts that both libraries share. */
interface AnyClient {
  getInstructions(): string | undefined;
  getNegotiatedProtocolVersion?(): string | undefined;
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const asMcpClient = (client: AnyClient): McpClient => ({
  instructions: () => client.getInstructions(),
  revision: () => client.getNegotiatedProtocolVersion?.(),
  tools: async () => (await client.listTools()).tools as ListedTool[],
  call: async (name, given = {}) => await client.callTool({ name, arguments: given }) as ToolResult,
  close: () => client.close(),
});

/** The official clients, by the package that they come from. */
export const clients: Record<string, Connect> = {
  async "@modelcontextprotocol/client"(url, headers) {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
      requestInit: { headers },
    });
    await client.connect(transport);
    return asMcpClient(client as unknown as AnyClient);
  },
  async "@modelcontextprotocol/sdk"(url, headers) {
    const client = new OlderClient(info);
    const { StreamableHTTPClientTransport } = await import(olderTransport);
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
      requestInit: { headers },
    });
    await client.connect(transport);
    return asMcpClient(client as unknown as AnyClient);
  },
};
