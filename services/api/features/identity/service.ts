import type { Database } from "#metadata/postgres/database.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Context } from "#platform/context.ts";
import { contractVersion } from "#contract/version.ts";
import { isPublished } from "#contract/permissions.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { version } from "#platform/version.ts";
import { personOf } from "#services/api/access/callers/person.ts";
import { ownerOf } from "#services/api/features/identity/queries.ts";
import { newestRequest } from "#services/api/features/owner-associations/service.ts";

export { permissionsOfUser } from "#services/api/features/identity/of-user.ts";

/** The name of anonymous callers when sign-in is disabled. */
const anonymousName = "admin";

/**
 * The caller of the request (Whoami). An anonymous caller is `admin`, without an owner; a user has
 * an owner when linked to one, and the newest request to be linked to one.
 */
export async function whoami(
  { db, authorizer }: { db: Database; authorizer: Authorizer },
  actor: Caller,
) {
  const permissions = await authorizer.permissionsOf(actor);
  const identity = {
    username: actor.name ?? anonymousName,
    permissions: permissions.filter(isPublished),
    further_permissions: permissions.filter((one) => !isPublished(one)),
  };
  const person = personOf(actor);
  if (!person) return { identity };
  const owner = await ownerOf(db, person.username, person.provider);
  const request = await newestRequest(db, person);
  return {
    identity,
    ...(owner ? { owner } : {}),
    ...(request ? { association_request: request } : {}),
  };
}

/** Information about the running application (AppInfo). */
export function appInfo({ config }: Pick<Context, "config">) {
  return { projectVersion: version, contractVersion, authType: config.auth.type };
}

export const featureNames = ["DATA_COLLABORATION", "ALERT_NOTIFICATIONS", "GENAI"] as const;

/** The optional features that the configuration enables. */
export function activeFeatures(
  { config }: Pick<Context, "config">,
): { items: (typeof featureNames)[number][] } {
  const on = {
    DATA_COLLABORATION: config.datacollaboration.enabled,
    ALERT_NOTIFICATIONS: config.notifications.enabled,
    GENAI: config.genai.enabled,
  };
  return { items: featureNames.filter((name) => on[name]) };
}
