import { maxMessage } from "#services/api/mcp/limits.ts";
import { mcpFaultOf } from "../fuzz/mcp.ts";
import { send } from "../send.ts";
import { type CostCase, listed, nested } from "./case.ts";

const call = (name: string, given: object) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
const capacity = maxMessage - 200;

/** Messages as costly as they may be, each in a way of its own. */
const messages: [string, string][] = [
  ["nested lists", nested(capacity / 2)],
  ["many members", `{${listed((n) => `"k${n}":0`, capacity)}}`],
  ["one long text", call("search_catalog", { query: "w".repeat(capacity) })],
  ["a search for as many words as may be", call("search_catalog", { query: "a b ".repeat(500) })],
  ["names as long as may be", call("get_entities", { refs: Array(10).fill("a b_C ".repeat(330)) })],
  [
    "a pattern of wildcards",
    call("get_lineage", {
      ref: "a",
      direction: "downstream",
      depth: 20,
      name_pattern: "*a?".repeat(33),
    }),
  ],
  ["a batch", `[${listed(() => call("impact_of", { ref: "a" }), capacity)}]`],
];

/** What an assistant may be made to ask. */
export function mcpCases(): CostCase[] {
  return messages.map(([what, body], at) => ({
    name: `POST /mcp: ${what}`,
    declared: [200, 400],
    alike: at % 3 === 1,
    async send({ url }) {
      const response = await send(`${url}/mcp`, {
        body,
        headers: { accept: "application/json, text/event-stream" },
      });
      const fault = mcpFaultOf(response);
      return fault === null ? response : { ...response, status: 0, text: fault };
    },
  }));
}
