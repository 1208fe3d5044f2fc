import type { RunStatus } from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { entityRuns } from "#services/api/features/runs/queries.ts";

export interface RunsQuestion extends PageQuery {
  status?: RunStatus;
}

/**
 * One page of the runs of a transformer or test, the latest end first; DataEntityRunList as JSON
 * text. Throws 404 for an unknown or hollow entity.
 */
export async function listRuns(context: Context, id: number, question: RunsQuestion) {
  const json = await entityRuns(context.db, id, question.status, pageWindow(question));
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}
