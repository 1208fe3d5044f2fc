import { notFound } from "#kit/errors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { integrations } from "#services/api/features/integrations/content/all.ts";
import { hereOf } from "#services/api/features/integrations/integration.ts";

type Deps = Pick<Context, "db" | "config" | "baseUrl">;

/** The integrations that this server has, with whether something came by them: IntegrationPreview[]. */
export async function listIntegrations(context: Deps) {
  const [by] = await context.db.query(arrived, [context.config.traces["data-source"]]);
  const installed = new Set(by!.ids);
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

/** Ids of the integrations by which something came; $1 CATRN of the trace gateway's data source. */
const arrived = statement<{ ids: string[] }>("integrations-arrived")`
  SELECT array_remove(ARRAY[${
  integrations.map(({ id, arrived }) => `CASE WHEN ${arrived} THEN '${id}' END`).join(", ")
}], NULL) AS ids`;
