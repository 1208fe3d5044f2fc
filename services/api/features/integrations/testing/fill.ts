import type { z } from "@hono/zod-openapi";
import { Integration, type Snippet } from "#services/api/features/integrations/schemas.ts";

/** What somebody who follows an integration would fill in, by parameter. */
export const answers: Record<string, string> = {
  data_source_catrn: "//postgresql/host/db.example/databases/tried",
  data_source_name: "Tried",
  table_name: "orders",
  collector_name: "nightly",
  collector_token: "collector token",
  minutes: "10",
  source_name: "shop",
  database_host: "db.example",
  database_port: "5432",
  database: "shop",
  database_user: "reader",
  image: "registry.example/collector:1",
  service_name: "storefront",
  job_namespace: "by-hand",
  job_name: "daily.totals",
  group_name: "tables",
  alert_name: "Orders are late",
  summary: "rows are missing",
  expression: 'time() - max(last_row{table="orders"}) > 3600',
  entity_catrn: "//postgresql/host/db.example/databases/tried/tables/orders",
};

const placeholder = /\{\{(\w+)\}\}/g;

/** A snippet with its arguments filled in. Throws for one that is missing, and for one that nothing needs. */
export function filled(snippet: Snippet, given: Record<string, string> = {}): string {
  const known = snippet.arguments ?? [];
  const named = new Set([...snippet.template.matchAll(placeholder)].map(([, name]) => name!));
  const declared = known.map(({ parameter }) => parameter);
  if ([...named].sort().join() !== [...declared].sort().join()) {
    throw new Error(`${[...named]} are in the template, ${declared} declared`);
  }
  const all = { ...answers, ...given };
  return snippet.template.replaceAll(placeholder, (_, name: string) => {
    const value = known.find((one) => one.parameter === name)?.static_value ?? all[name];
    if (value === undefined) throw new Error(`nothing is told of ${name}`);
    return value;
  });
}

/** The snippets of an integration's blocks, filled in, by the place of their block. */
export function snippetsOf(
  integration: z.output<typeof Integration>,
  given: Record<string, string> = {},
): string[][] {
  return Integration.parse(integration).content_blocks.map(({ code_snippets }) =>
    code_snippets.map((snippet) => filled(snippet, given))
  );
}
