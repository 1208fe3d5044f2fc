import { z } from "@hono/zod-openapi";
import {
  type ColumnLineageAnswer,
  sqlGapReasons,
  type SqlLineageGap,
} from "#contract/column-lineage.ts";
import { columnEdgeOrigins } from "#contract/entities.ts";
import { Instant } from "#contract/ingestion/values.ts";
import {
  ColumnName,
  Cursor,
  cursorTo,
  depthOf,
  Direction,
  Entity,
  fitting,
  limitOf,
  NamedEntity,
  NextCursor,
  offsetOf,
  Ref,
  shownName,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { maxListed } from "#services/api/mcp/limits.ts";
import { reachedNodes } from "#services/api/mcp/lineage.ts";
import { entityOf } from "#services/api/mcp/references.ts";
import { tool } from "#services/api/mcp/tool.ts";

const name = "get_column_lineage";
/** Gaps that are listed. */
const maxGaps = 50;
/** Who declares an edge, as far as they are named. */
const maxJobs = 3;

type Lineage = z.output<typeof ColumnLineageAnswer>;

const End = z.object({
  dataset: NamedEntity,
  column: z.string().nullable().describe("null: the dataset as a whole"),
});
const Edge = z.object({
  from: End,
  to: End,
  kind: z.string().describe(
    "DIRECT: the value goes over; INDIRECT: it only has a say, as in a filter or a join",
  ),
  subtype: z.string().nullable(),
  origin: z.enum(columnEdgeOrigins).describe(
    "DECLARED: declared by a source; SQL: parsed from the SQL of a job, which may be wrong or incomplete",
  ),
  jobs: z.array(NamedEntity).describe(`At most ${maxJobs} that declare it`),
});

const NotTraced = z.object({
  column: z.string().nullable().describe(
    "null: columns that nothing names, such as those of a star",
  ),
  reason: z.enum(sqlGapReasons),
  job: z.number(),
  line: z.number().nullable().describe("Where in the SQL of the job"),
});

function notTraced({ column, reason, establisher_id: job, line }: z.output<typeof SqlLineageGap>) {
  return { column: column == null ? null : shownName(column), reason, job, line: line ?? null };
}

/** Which columns make which, of a whole table at once. */
export const getColumnLineage = tool({
  name,
  title: "Lineage of columns",
  description:
    "Which columns the columns of a dataset are made of (upstream), or which are made of them (downstream), of all its " +
    "columns in one call. No edges means that no column lineage was declared, not that nothing uses the columns.",
  input: z.strictObject({
    ref: Ref,
    columns: z.array(ColumnName).max(maxListed).optional().describe("Only these columns of it"),
    direction: Direction,
    depth: depthOf(20, 1),
    include_indirect: z.boolean().default(false).describe("Also filters, joins and orders"),
    as_of: Instant.optional().describe(
      "Column lineage as recorded in the catalogue at this time: RFC 3339 with an offset. Names are those of today",
    ),
    limit: limitOf(200, 100),
    cursor: Cursor.optional(),
  }),
  output: z.object({
    root: Entity,
    as_of: z.string().nullable().describe("null: today"),
    total: Total.describe("Edges between columns"),
    edges: z.array(Edge),
    not_traced: z.array(NotTraced).describe(
      `At most ${maxGaps} columns that SQL fills and that could not be traced: they have sources that are not among the edges`,
    ),
    ...whole,
    cursor: NextCursor,
  }),
  async answer(given, context) {
    const offset = offsetOf(name, given);
    const { hollow: _, ...root } = await entityOf(context, "ref", given.ref);
    const side = given.direction === "upstream" ? "Upstream" : "Downstream";
    const { body, headers } = await context.ask.read(`getDatasetColumns${side}Lineage`, {
      params: { data_entity_id: String(root.id) },
      query: {
        lineage_depth: String(given.depth),
        include_indirect: String(given.include_indirect),
        ...(given.columns ? { column: given.columns } : {}),
        ...(given.as_of === undefined ? {} : { as_of: given.as_of }),
      },
    });
    const { columns, datasets, edges, not_traced: gaps = [] } = body as Lineage;
    const result = {
      root,
      as_of: given.as_of ?? null,
      total: edges.length,
      not_traced: gaps.slice(0, maxGaps).map(notTraced),
      complete: headers["X-Lineage-Truncated"] === undefined,
      position: Number(headers["X-Lineage-Position"]),
    };
    const page = edges.slice(offset, offset + given.limit);
    const jobs = page.flatMap(({ establisher_ids }) => establisher_ids.slice(0, maxJobs));
    const declaring = await reachedNodes(context.context.db, [...new Set(jobs)]);
    const names = new Map(declaring.map((row) => [row.id, shownName(row.name)]));
    for (const { id, internal_name, external_name, catrn } of datasets) {
      names.set(id, shownName(internal_name || external_name || catrn));
    }
    const named = (id: number) => ({ id, name: names.get(id) ?? "" });
    const byId = new Map(columns.map((column) => [column.id, column]));
    const endOf = (id: number) => {
      const column = byId.get(id)!;
      return {
        dataset: named(column.dataset_id),
        column: column.name == null ? null : shownName(column.name),
      };
    };
    const shown = page.map((edge) => ({
      from: endOf(edge.source_id),
      to: endOf(edge.target_id),
      kind: edge.kind,
      subtype: edge.subtype == null ? null : shownName(edge.subtype),
      origin: edge.origin,
      jobs: edge.establisher_ids.slice(0, maxJobs).map(named),
    }));
    const fitted = fitting(shown, result);
    return {
      ...result,
      edges: fitted,
      cursor: cursorTo(name, given, offset + fitted.length, edges.length),
    };
  },
});
