import { z } from "@hono/zod-openapi";
import type { DataEntityLineageStream } from "#contract/lineage.ts";
import type { EdgePair } from "#graph/port.ts";
import { badRequest } from "#kit/errors.ts";
import { distancesFrom } from "#services/api/features/lineage/service.ts";
import {
  bytesOf,
  depthOf,
  Entity,
  Ref,
  ShortEntity,
  shownName,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { maxAnswer } from "#services/api/mcp/limits.ts";
import { knownOr, resolve, type ResolvedEntity } from "#services/api/mcp/references.ts";
import { tool } from "#services/api/mcp/tool.ts";

const maxPaths = 3;

type Stream = z.output<typeof DataEntityLineageStream>;
const nameOf = ({ internal_name, external_name, catrn }: Stream["nodes"][number]) =>
  shownName(internal_name ?? external_name ?? catrn);

/** Beginnings of paths that are looked at; with the distances to the end as a guide, few lead nowhere. */
const maxLooked = 20_000;

/**
 * At most `max` shortest paths without repeated entities along the edges, each as ids from its first to its last
 * entity; the shortest first, equal ones in order of ids.
 */
export function shortestPaths(
  edges: readonly EdgePair[],
  from: number,
  to: number,
  max: number,
): number[][] {
  const left = distancesFrom(edges, [to], "upstream");
  const onward = Map.groupBy(edges, ([parent]) => parent);
  // Beginnings by the length of the shortest path that they may become.
  const byLength = new Map<number, number[][]>();
  const add = (path: number[]) => {
    const rest = left.get(path.at(-1)!);
    if (rest === undefined) return;
    const length = path.length - 1 + rest;
    const others = byLength.get(length);
    if (others) others.push(path);
    else byLength.set(length, [path]);
  };
  add([from]);
  const found: number[][] = [];
  let visited = 0;
  while (byLength.size > 0) {
    const length = Math.min(...byLength.keys());
    const path = byLength.get(length)!.pop()!;
    if (byLength.get(length)!.length === 0) byLength.delete(length);
    if (path.at(-1) === to) {
      found.push(path);
      if (found.length === max) break;
      continue;
    }
    if (++visited > maxLooked) break;
    const next = (onward.get(path.at(-1)!) ?? []).map(([, child]) => child)
      .filter((child) => !path.includes(child));
    for (const child of next.sort((a, b) => b - a)) add([...path, child]);
  }
  return found;
}

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

const summaryOf = ({ hollow: _, ...entity }: ResolvedEntity) => entity;

/** Adds the entities of the paths; leaves out the longest paths while the answer is too large. */
function fitted<T extends { paths: number[][] }, N>(fullAnswer: T, short: (id: number) => N) {
  for (let count = fullAnswer.paths.length;; count--) {
    const paths = fullAnswer.paths.slice(0, count);
    const nodes = [...new Set(paths.flat())].map(short);
    const answer = { ...fullAnswer, paths, nodes };
    if (count <= 1 || bytesOf(answer) <= maxAnswer) return answer;
  }
}
