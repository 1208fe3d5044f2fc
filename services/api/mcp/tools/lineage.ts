import { z } from "@hono/zod-openapi";
import { Instant } from "#contract/ingestion/values.ts";
import {
  ByType,
  Cursor,
  cursorTo,
  depthOf,
  Direction,
  Entity,
  fitting,
  limitOf,
  NamedEntity,
  NamePattern,
  NextCursor,
  offsetOf,
  Ref,
  ShortEntity,
  Total,
  Types,
  whole,
} from "#services/api/mcp/shapes.ts";
import { countByType, type Reach, type ReachedEntity, reachOf } from "#services/api/mcp/lineage.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { tool } from "#services/api/mcp/tool.ts";

const name = "get_lineage";
/** Neighbours that are named as the way to an entity. */
const maxVia = 3;

const input = z.strictObject({
  ref: Ref,
  direction: Direction,
  depth: depthOf(20, 3),
  types: Types.optional().describe("Only entities of these types; the way to them may be others"),
  name_pattern: NamePattern.optional(),
  as_of: Instant.optional().describe(
    "Lineage as recorded in the catalogue at this time: RFC 3339 with an offset. Names are those of today",
  ),
  limit: limitOf(200, 50),
  cursor: Cursor.optional(),
});

const Node = ShortEntity.extend({
  distance: z.number().int().describe("Edges of the shortest path from the root"),
  via: z.array(NamedEntity).describe(`At most ${maxVia} neighbours on the shortest paths`),
  via_total: Total,
});

/** Whether a name is like a pattern of `NamePattern`, whatever its letter case. Time: their lengths multiplied at most. */
export function nameLike(pattern: string): (name: string) => boolean {
  const wanted = [...pattern.toLowerCase()];
  if (!/[*?]/.test(pattern)) return (name) => name.toLowerCase().includes(pattern.toLowerCase());
  return (name) => matches([...name.toLowerCase()], wanted);
}

/** Goes back only to the last `*`, since what one before it could take, the last can take as well. */
function matches(name: string[], pattern: string[]): boolean {
  let [at, of] = [0, 0];
  let star: { at: number; of: number } | undefined;
  while (at < name.length) {
    if (pattern[of] === "*") star = { at, of: of++ };
    else if (pattern[of] === "?" || (of < pattern.length && pattern[of] === name[at])) {
      at++;
      of++;
    } else if (star) {
      at = ++star.at;
      of = star.of + 1;
    } else return false;
  }
  while (pattern[of] === "*") of++;
  return of === pattern.length;
}

/** What an entity is made of, or what is made of it. */
export const getLineage = tool({
  name,
  title: "Lineage of an entity",
  description:
    "What an entity is made of (upstream) or what is made of it (downstream), the nearest first, with totals by type " +
    "and by distance. Deleted entities are left out. Members of a group count as the group.",
  input,
  output: z.object({
    root: Entity,
    as_of: z.string().nullable().describe("null: today"),
    total: Total.describe("Reached entities of the requested types and name"),
    by_type: ByType,
    by_distance: z.array(z.object({ distance: z.number().int(), count: Total })),
    nodes: z.array(Node),
    ...whole,
    cursor: NextCursor,
  }),
  async answer(given, context) {
    const offset = offsetOf(name, given);
    const root = await entityOf(context, "ref", given.ref);
    const { direction, depth, types, name_pattern, as_of: asOf } = given;
    const reach = await reachOf(context, { root, direction, depth, asOf });
    const like = name_pattern === undefined ? () => true : nameLike(name_pattern);
    const wanted = reach.nodes.filter(({ name, type }) =>
      like(name) && (!types || (types as (string | null)[]).includes(type))
    );
    const { hollow: _, ...shown } = root;
    const result = {
      root: shown,
      as_of: asOf ?? null,
      total: wanted.length,
      by_type: countByType(wanted),
      by_distance: countByDistance(wanted),
      complete: reach.complete,
      position: reach.position,
    };
    const page = wanted.slice(offset, offset + given.limit);
    const nodes = fitting(page.map((node) => nodeOf(node, reach)), result);
    const cursor = cursorTo(name, given, offset + nodes.length, wanted.length);
    return { ...result, nodes, cursor };
  },
});

function nodeOf({ id, name, type, distance, via }: ReachedEntity, { names }: Reach) {
  const shown = via.slice(0, maxVia).map((one) => ({ id: one, name: names.get(one) ?? "" }));
  return { id, name, type, distance, via: shown, via_total: via.length };
}

function countByDistance(nodes: ReachedEntity[]) {
  return [...Map.groupBy(nodes, ({ distance }) => distance)]
    .map(([distance, at]) => ({ distance, count: at.length }));
}
