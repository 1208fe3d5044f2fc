import { type PageQuery, pageWindow } from "#contract/http.ts";
import { maxDetails } from "#contract/bounded.ts";
import type { Direction } from "#graph/port.ts";
import { AppError, badRequest, requireFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { membersJson } from "#services/api/features/lineage/column-answer.ts";
import {
  columnEdgesOf,
  columnLineage,
  columnLineageAt,
} from "#services/api/features/lineage/columns.queries.ts";
import type { LineageAnswer } from "#services/api/features/lineage/answer.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";

/** Maximum number of columns that one question names. */
export const maxRequestedColumns = 500;

interface ColumnQuestion {
  dataset: number;
  direction: Direction;
  depth: number;
  /** Names of columns, in any letter case, from a list with commas; none here and in `exact` means all. */
  columns: string[];
  /** Names of columns that were given one by one. */
  exact: string[];
  /** Also what only has a say: filters, joins, orders. */
  indirect: boolean;
  /** Go on from a dataset as a whole to all its columns, and from a column to its dataset as a whole. */
  through: boolean;
  /** A past time, ISO 8601; today's lineage when absent. */
  asOf?: string;
}

const walks = { now: columnLineage, at: columnLineageAt };

/** Share of the time for the walk itself; reading edges and names needs the rest. */
const walkShare = 0.6;

/** The walk's bookkeeping stores level and count in 31 bits each. */
const maxDepth = 2 ** 31 - 2;

/**
 * ColumnLineage of the columns of a dataset, walked in PostgreSQL on every set of engines: its rows say what
 * is visible, so that nothing is cut afterwards. 404 for an unknown or deleted dataset, and for names that
 * no column has; a hollow dataset is allowed. As of a past time edges are those of then; names and types are today's.
 */
export async function lineageOfColumns(
  context: Context,
  question: ColumnQuestion,
): Promise<LineageAnswer> {
  const { config } = context;
  const { dataset } = question;
  const snapshot = snapshotOf(context, question.asOf);
  const names = [...new Set([...question.columns, ...question.exact])];
  if (names.length > maxRequestedColumns) throw tooManyColumns(names.length);
  await snapshot.checkRoot("data entity", dataset);
  const { "max-nodes": maxNodes, timeout } = config.lineage;
  const [row] = await snapshot.read(walks, [
    dataset,
    names.length > 0 ? names : null,
    question.direction === "downstream",
    question.indirect,
    question.through,
    Math.min(question.depth, maxDepth),
    maxNodes,
    timeout * walkShare,
  ]);
  const { visible, unknown, requested, more, head, cut, truncated } = row!;
  snapshot.checkVisible("data entity", dataset, visible);
  if (unknown.length > 0) throw unknownColumns(question, unknown);
  const headers = snapshot.headers(head, more ? "nodes" : cut ?? undefined);
  // What could not be traced of a dataset whose sources are requested.
  const gaps = question.direction === "upstream" ? await snapshot.gaps(dataset) : undefined;
  const json = `{${snapshot.members}"root":{"id":${dataset},"columns":[${requested}]},` +
    `${membersJson(row!)},"truncated_at":[${truncated ?? ""}]` +
    `${gaps === undefined ? "" : `,"not_traced":[${gaps}]`}}`;
  return { json, headers };
}

function tooManyColumns(given: number): AppError {
  const message =
    `columns and column must name at most ${maxRequestedColumns} columns together (was ${given})`;
  return badRequest(message, [{ field: "column", message }]);
}

function unknownColumns({ dataset, exact }: ColumnQuestion, names: string[]): AppError {
  const details = names.map((name) => ({
    field: exact.includes(name) ? "column" : "columns",
    message: `${name || "(empty)"} is no column`,
  }));
  const hint = details[0]!.field === "columns"
    ? "; a name with a comma, or with blanks around it, is given by the parameter column"
    : "";
  const message = `Dataset ${dataset} has no column ${names[0] || "with an empty name"}${hint}`;
  return new AppError(message, {
    status: 404,
    code: "USR002",
    details: details.slice(0, maxDetails),
  });
}

/** ColumnLineageEdgeList: the live column edges that an entity declares. 404 for an unknown or hollow one. */
export async function declaredColumnEdges(
  { db }: Context,
  id: number,
  page: PageQuery,
): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const row = requireFound(await db.query(columnEdgesOf, [id, limit, offset]), "data entity", id);
  const { total, more, sql, gaps } = row;
  const reading = sql === null ? "" : `,"sql":${sql}`;
  return `{${membersJson(row)}${reading},"not_traced":[${
    gaps ?? ""
  }],"page_info":{"total":${total},"hasNext":${more}}}`;
}
