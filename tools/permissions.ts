import { readFileSync } from "node:fs";
import type { ResourceRef, Route } from "#platform/operations/declare.ts";
import { kinds } from "#services/api/access/permissions/subjects.ts";
import { writers } from "#services/api/access/permissions/policy/keys.ts";
import { publishedRoutes } from "#services/api/openapi.ts";

const file = "docs/operate/permissions.md";

/** Text below this line is generated. */
const mark = "<!-- Below this line: written by `npm run docs`. -->";

/** `docs/operate/permissions.md`: the hand-written text, and after the mark who may call which operation. */
export function permissionsMarkdown(): string {
  const [written = ""] = readFileSync(file, "utf8").split(mark);
  const rows = publishedRoutes().map(({ spec }) => spec).sort((a, b) =>
    byPlace(a) < byPlace(b) ? -1 : 1
  );
  return [
    written.trimEnd(),
    "",
    mark,
    "",
    "| Condition key | Who can change the value |",
    "| --- | --- |",
    ...Object.entries(writers).map(([key, who]) => `| \`${key}\` | ${who} |`),
    "",
    "### Permissions of operations",
    "",
    "| Operation | Method and path | Permission | On |",
    "| --- | --- | --- | --- |",
    ...rows.map(row),
    "",
  ].join("\n");
}

type Spec = Route["spec"];

const byPlace = ({ path, method }: Spec) => `${path} ${method}`;

function row(spec: Spec): string {
  const { id, method, path } = spec;
  return `| \`${id}\` | \`${method.toUpperCase()} ${path}\` | ${neededFor(spec).join(" | ")} |`;
}

const others = { anonymous: "anyone", "signed-in": "signed in", collector: "collector" };

/** Permission and resource of an operation, as cells. */
function neededFor({ access }: Spec): [permission: string, on: string] {
  if (typeof access === "string") return [others[access], ""];
  const permission = `\`${access.permission}\`${access.dormant ? " (dormant)" : ""}`;
  return [permission, access.on === "MANAGEMENT" ? "everything" : resourceOf(access.of)];
}

/** What an operation asks on, by the member of its input that holds the id: `data entity {data_entity_id}`. */
function resourceOf(of: (input: never) => ResourceRef): string {
  const members = new Proxy({}, { get: (_, name) => `{${String(name)}}` });
  const input = { params: members, query: members, body: members };
  const { kind, id } = of(input as never);
  return `${kinds[kind].named} \`${id}\``;
}
