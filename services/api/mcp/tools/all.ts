import type { Tool } from "#services/api/mcp/tool.ts";
import { listAlerts } from "#services/api/mcp/tools/alerts.ts";
import { getColumnLineage } from "#services/api/mcp/tools/columns.ts";
import { diffLineage } from "#services/api/mcp/tools/diff.ts";
import { getEntities } from "#services/api/mcp/tools/entities.ts";
import { impactOf } from "#services/api/mcp/tools/impact.ts";
import { getLineage } from "#services/api/mcp/tools/lineage.ts";
import { resolveName, searchCatalog } from "#services/api/mcp/tools/search.ts";
import { findLineagePath } from "#services/api/mcp/tools/paths.ts";
import { getRuns } from "#services/api/mcp/tools/runs.ts";

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  searchCatalog,
  getEntities,
  getLineage,
  getColumnLineage,
  findLineagePath,
  impactOf,
  diffLineage,
  listAlerts,
  getRuns,
  resolveName,
];
