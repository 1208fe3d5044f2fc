import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { integrations } from "#services/api/features/integrations/content/all.ts";
import { hereOf } from "#services/api/features/integrations/integration.ts";

type Deps = Pick<Context, "db" | "config" | "baseUrl">;

/** The integrations that this server has, with whether something came by them: IntegrationPreview[]. */
export async function listIntegrations(context: Deps) {
  const installed = new Set(await arrivedBy(context.db, context.config.traces["data-source"]));
  const here = hereOf(context);
  return integrations.filter(({ offered }) => offered?.(here) ?? true)
    .map(({ id, name, description }) => ({ id, name, description, installed: installed.has(id) }));
}

/** An integration with its texts for this server. Throws 404 for one that it has not. */
export async function integration(context: Deps, id: string) {
  const preview = (await listIntegrations(context)).find((one) => one.id === id);
  const spec = integrations.find((one) => one.id === id);
  if (!preview || !spec) throw notFound("Integration", id);
  return { ...preview, content_blocks: spec.blocks(hereOf(context)) };
}

const arrived = statement<{ ids: string[] }>("integrations-arrived")`
  SELECT array_remove(ARRAY[${
  integrations.map(({ id, arrived }) => `CASE WHEN ${arrived} THEN '${id}' END`).join(", ")
}], NULL) AS ids`;

/** Ids of the integrations by which something came; `own`: CATRN of the trace gateway's data source. */
async function arrivedBy(db: Queryable, own: string): Promise<string[]> {
  return (await db.query(arrived, [own]))[0]!.ids;
}
