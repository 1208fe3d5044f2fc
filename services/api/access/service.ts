import type { Context } from "#platform/context.ts";
import { type Authorizer, open } from "#platform/operations/access.ts";

/** The configured authorization; with `auth.type` DISABLED everyone may do everything. */
export function authorizerOf(_context: Context): Authorizer {
  return open;
}
