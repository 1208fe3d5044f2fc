import { maxDocument } from "#services/api/access/permissions/policy/document.ts";
import { send } from "../send.ts";
import { type CostCase, listed, nested } from "./case.ts";

const on = (conditions: string) =>
  `{"statements":[{"resource":{"type":"DATA_ENTITY","conditions":${conditions}},"permissions":["ALL"]}]}`;
const capacity = maxDocument - 200;
const any = (unit: string) => on(`{"any":[${listed(() => unit, capacity)}]}`);
const match = (pattern: string) => `{"match":{"dataEntity:catrn":"${pattern}"}}`;

/** Documents as large as they may be, each costly in a way of its own. */
const documents: [string, string][] = [
  ["nested lists", nested(capacity / 2)],
  ["nested conditions", on(nested(1_000, '{"all":[', "]}").replace("[]", "[0]"))],
  ["statements", `{"statements":[${listed(() => "{}", capacity)}]}`],
  ["unknown members", `{${listed((n) => `"k${n}":0`, capacity)}}`],
  ["empty conditions", any("{}")],
  ["conditions with all operators", any('{"all":[],"any":[],"eq":{},"not_eq":{},"is":""}')],
  ["wrong keys", any('{"eq":{"a":"b"}}')],
  ["patterns that are refused", any(match("("))],
  ["patterns that become large", any(match("(?:a?a?a?a?a?a?a?a?a?a?){90}"))],
  ["nested repetitions", any(match("((((a{10}){10}){10}){10}){10}"))],
  ["patterns of classes", any(match("(?i)[\\\\\\\\pL]{1,140}"))],
  ["patterns as many as may be", on(`{"any":[${Array(499).fill(match("a.*"))}]}`)],
];

/** Policies as their makers should not write them. */
export function policyCases(): CostCase[] {
  return documents.map(([what, policy], at) => ({
    name: `POST /api/policies: ${what}`,
    declared: [200, 400],
    alike: at % 3 === 1,
    send: ({ url }) =>
      send(`${url}/api/policies`, { body: JSON.stringify({ name: what, policy }) }),
  }));
}
