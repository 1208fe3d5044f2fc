import type { Context } from "#platform/context.ts";
import { type AccessControl, openAccess } from "#platform/operations/access.ts";

/** The configured access control; with `auth.type` DISABLED everyone may do everything. */
export function accessOf(_context: Context): AccessControl {
  return openAccess;
}
