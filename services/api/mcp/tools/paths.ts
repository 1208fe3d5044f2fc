import { z } from "@hono/zod-openapi";
import type { DataEntityLineageStream } from "#contract/lineage.ts";
import { badRequest } from "#kit/errors.ts";
import { bytesOf } from "#services/api/mcp/fit.ts";
import { maxAnswer } from "#services/api/mcp/limits.ts";
import { knownOr, resolve } from "#services/api/mcp/references.ts";
import {
  depthOf,
  Entity,
  Ref,
  ShortEntity,
  shownName,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { shortestPaths } from "#services/api/mcp/shortest-paths.ts";
import { tool } from "#services/api/mcp/tool.ts";

const maxPaths = 3;

type Stream = z.output<typeof DataEntityLineageStream>;
const nameOf = ({ internal_name, external_name, catrn }: Stream["nodes"][number]) =>
  shownName(internal_name ?? external_name ?? catrn);

/** How data gets from one entity to another. */
export const findLineagePath = tool({
  name: "find_lineage_path",
  title: "Path between two entities",
  description:
    `The shortest ways (at most ${maxPaths}) by which data flows between two entities, whichever of them it flows ` +
    "from. found: false means that there is no path of at most `depth` edges.",
  input: z.strictObject({ from: Ref, to: Ref, depth: depthOf(100, 20) }),
  output: z.object({
    from: Entity,
    to: Entity,
    found: z.boolean(),
    flow: z.enum(["from_to", "to_from"]).nullable().describe(
      "from_to: data flows from `from` to `to`; to_from: the other way; null: no path",
    ),
    length: z.number().int().nullable().describe("Edges of the shortest path"),
    on_paths: Total.describe("Entities on any path of at most `depth` edges"),
    paths: z.array(z.array(z.number().int())).describe("Ids in the order in which data flows"),
    nodes: z.array(ShortEntity).describe("The entities of these paths"),
    ...whole,
  }),
  async answer(given, context) {
    const [a, b] = await resolve(context, [given.from, given.to]);
    const [from, to] = [knownOr("from", a!), knownOr("to", b!)];
    if (from.id === to.id) {
      const message = "must be another entity than from";
      throw badRequest(`to ${message}`, [{ field: "to", message }]);
    }
    const { body, headers } = await context.ask.read("getDataEntityLineagePaths", {
      params: { data_entity_id: String(from.id) },
      query: { to: String(to.id), lineage_depth: String(given.depth) },
    });
    const { nodes, edges } = body as Stream;
    const pairs = edges.map((edge) => [edge.source_id, edge.target_id] as const);
    const ahead = shortestPaths(pairs, from.id, to.id, maxPaths);
    const back = shortestPaths(pairs, to.id, from.id, maxPaths);
    const forward = ahead.length > 0 && (back.length === 0 || ahead[0]!.length <= back[0]!.length);
    const paths = forward ? ahead : back;
    const named = new Map(nodes.map((node) => [node.id, node]));
    const short = (id: number) => {
      const node = named.get(id)!;
      return { id, name: nameOf(node), type: node.type?.name ?? null };
    };
    return fitted({
      from: summaryOf(from),
      to: summaryOf(to),
      found: paths.length > 0,
      flow: paths.length === 0 ? null : forward ? "from_to" as const : "to_from" as const,
      length: paths[0] ? paths[0].length - 1 : null,
      on_paths: nodes.length,
      paths,
      complete: headers["X-Lineage-Truncated"] === undefined,
      position: Number(headers["X-Lineage-Position"]),
    }, short);
  },
});

const summaryOf = ({ id, catrn, name, type }: z.output<typeof Entity>) => ({
  id,
  catrn,
  name,
  type,
});

/** Adds the entities of the paths; leaves out the longest paths while the answer is too large. */
function fitted<T extends { paths: number[][] }, N>(fullAnswer: T, short: (id: number) => N) {
  for (let count = fullAnswer.paths.length;; count--) {
    const paths = fullAnswer.paths.slice(0, count);
    const nodes = [...new Set(paths.flat())].map(short);
    const answer = { ...fullAnswer, paths, nodes };
    if (count <= 1 || bytesOf(answer) <= maxAnswer) return answer;
  }
}
