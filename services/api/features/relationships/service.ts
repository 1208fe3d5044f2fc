import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/relationships/queries.ts";
import { staleDays } from "#services/api/stale.ts";

/** Maximum number of relationships in the answer for one dataset, which is not paged. */
const maxOfDataset = 10_000;

export type RequestedKind = queries.RelationshipKind | "ALL";

export interface RelationshipsQuestion extends PageQuery {
  type: RequestedKind;
  /** A part of the relationship's own name, case-insensitive. */
  query?: string;
}

const kindOf = (kind: RequestedKind) => (kind === "ALL" ? null : kind);

/**
 * One page of relationships in order of id; DataEntityRelationshipList as JSON text. Leaves out
 * deleted, hollow and excluded ones; filters by kind before paging.
 */
export function listRelationships(context: Context, question: RelationshipsQuestion) {
  const { type, query } = question;
  const filter = { kind: kindOf(type), pattern: query ? containsPattern(query) : null };
  return queries.relationshipList(context.db, filter, pageWindow(question), staleDays(context));
}

/**
 * DataEntityRelationshipDetails as JSON text, by the id of the relationship's entity. Throws 404 for
 * any other id, including that of the relationship's own row, and for the other kind.
 */
export async function describeRelationship(
  context: Context,
  id: number,
  kind: queries.RelationshipKind,
): Promise<string> {
  const json = await queries.relationshipDetails(context.db, id, kind, staleDays(context));
  if (json === undefined) throw notFound(`${kind} relationship`, id);
  return json;
}

/**
 * Relationships with the dataset at either end; DataEntityRelationshipDetailsList as JSON text.
 * Throws 404 for an unknown or hollow dataset.
 */
export async function relationshipsOfDataset(
  context: Context,
  dataset: number,
  type: RequestedKind,
) {
  const days = staleDays(context);
  const kind = kindOf(type);
  const json = await queries.datasetRelationships(context.db, dataset, kind, days, maxOfDataset);
  if (json === undefined) throw notFound("Dataset", dataset);
  return json;
}
