import { faultOf, send, type ServerResponse } from "../send.ts";
import type { Input } from "./input.ts";
import { mutatedText } from "./mutate.ts";
import { pick, type Random } from "./words.ts";
import type { FuzzWorld } from "./world.ts";

/** Sound calls of each tool, about an entity. */
const calls = (ref: string): [name: string, given: object][] => [
  ["search_catalog", { query: "orders tot", types: ["TABLE"], limit: 5 }],
  ["get_entities", { refs: [ref, "orders"], include: ["fields", "sql"], field_pattern: "t*l" }],
  ["get_lineage", { ref, direction: "downstream", depth: 3, name_pattern: "o?d*" }],
  ["find_lineage_path", { from: ref, to: "//fuzz/source/table", depth: 5 }],
  ["impact_of", { ref }],
  ["list_alerts", { status: "OPEN", upstream_of: ref }],
  ["get_runs", { ref, status: "FAILED", since: "2026-01-01T00:00:00Z", limit: 3 }],
];

/** What assistants are answered is no fault of ours only if no tool failed. */
export function mcpFaultOf(response: ServerResponse): string | null {
  const failed = /internal error, id [\w-]+/.exec(response.text);
  return failed ? `200 with ${failed[0]}` : faultOf(response);
}

/** A message for a tool that was sound once. */
export function mcpInput(world: FuzzWorld, random: Random): Input {
  const [name, given] = pick(random, calls(pick(random, world.ids)));
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  };
  const body = mutatedText(message, random);
  const headers = { accept: "application/json, text/event-stream" };
  return {
    entrance: "POST /mcp",
    shown: body,
    send: async ({ subject }) => mcpFaultOf(await send(`${subject.url}/mcp`, { body, headers })),
  };
}
