import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/audit/queries.ts";

/** One page of what was retained for auditors, newest first; AuditEventList as JSON text. */
export function listAudit(
  { db }: Pick<Context, "db">,
  filter: queries.AuditFilter,
  page: PageQuery,
): Promise<string> {
  return queries.auditPage(db, filter, pageWindow(page));
}
