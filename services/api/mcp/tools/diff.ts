import { z } from "@hono/zod-openapi";
import type { DataEntityLineageDiff } from "#contract/lineage.ts";
import { Instant } from "#contract/ingestion/values.ts";
import {
  depthOf,
  Direction,
  Entity,
  fitting,
  NamedEntity,
  Ref,
  shownName,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { tool } from "#services/api/mcp/tool.ts";

/** Maximum number of changes listed. */
const maxChanges = 100;

type Diff = z.output<typeof DataEntityLineageDiff>;

const Counts = z.record(z.string(), Total);

/** What changed in the lineage of an entity. */
export const diffLineage = tool({
  name: "diff_lineage",
  title: "Changes of lineage",
  description:
    "What came and went between two times in what an entity is made of, or in what is made of it. Times are when the " +
    "catalogue received it, not when a job ran.",
  input: z.strictObject({
    ref: Ref,
    direction: Direction,
    from: Instant.describe("RFC 3339 with an offset, such as 2026-05-01T00:00:00Z"),
    to: Instant.optional().describe("Later than from; default now"),
    depth: depthOf(20, 5),
  }),
  output: z.object({
    root: Entity,
    from: z.string(),
    to: z.string(),
    compared_depth: z.number().int().describe(
      "Edges from the root down to which both times were compared",
    ),
    entities: Counts.describe("came, left, same"),
    edges: Counts.describe(
      "added, removed: it stood at one time only; reached, unreached: it stood at both, but was reached at one only",
    ),
    total: Total.describe("Edges that changed"),
    changes: z.array(z.object({
      change: z.string(),
      from: NamedEntity,
      to: NamedEntity,
    })).describe(
      `At most ${maxChanges} of the edges that changed, in the order in which data flows`,
    ),
    ...whole,
  }),
  async answer(given, context) {
    const { hollow: _, ...root } = await entityOf(context, "ref", given.ref);
    const side = given.direction === "upstream" ? "Upstream" : "Downstream";
    const { body, headers } = await context.ask.read(`getDataEntity${side}LineageDiff`, {
      params: { data_entity_id: String(root.id) },
      query: {
        from: given.from,
        ...(given.to === undefined ? {} : { to: given.to }),
        lineage_depth: String(given.depth),
      },
    });
    const { from, to, whole_depth, counts, nodes, edges } = body as Diff;
    const names = new Map(nodes.map((node) => [
      node.id,
      shownName(node.internal_name || node.external_name || node.catrn),
    ]));
    const named = (id: number) => ({ id, name: names.get(id) ?? "" });
    const result = {
      root,
      from,
      to,
      compared_depth: Math.min(whole_depth, given.depth),
      entities: counts.nodes,
      edges: counts.edges,
      total: edges.length,
      complete: headers["X-Lineage-Truncated"] === undefined,
      position: Number(headers["X-Lineage-Position"]),
    };
    const changes = edges.slice(0, maxChanges).map(({ source_id, target_id, change }) => ({
      change,
      from: named(source_id),
      to: named(target_id),
    }));
    return { ...result, changes: fitting(changes, result) };
  },
});
