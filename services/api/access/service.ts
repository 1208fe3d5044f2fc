import type { Context } from "#platform/context.ts";
import { type Authorizer, open } from "#platform/operations/access.ts";

/** Who may do what, as configured: where nobody signs in (`auth.type` DISABLED), everyone everything. */
export function authorizerOf(_context: Context): Authorizer {
  return open;
}
