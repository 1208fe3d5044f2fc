import type { QueryClient } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";

const query = { page: 1, size: 8 };

/** What the home page shows to everybody. */
export const reads = {
  usage: read("/api/dataentities/usage"),
  alerts: read("/api/alerts", { query }),
  changes: read("/api/activity/groups", { query: { size: 8 } }),
  coverage: read("/api/dataentities/coverage"),
  totals: read("/api/alerts/totals"),
  recent: read("/api/recently-viewed/list", { query }),
  favorites: read("/api/favorites/list", { query: { ...query, size: 12 } }),
  domains: read("/api/dataentitygroups/domains"),
  popular: read("/api/dataentities/popular", { query }),
  links: read("/api/links"),
  identity: read("/api/identity/whoami"),
};

/** Asks for all of it, so that the answers are under way while the page is rendered. */
export function readAhead(queries: QueryClient): void {
  for (const one of Object.values(reads)) void queries.prefetchQuery(one as typeof reads.usage);
}
