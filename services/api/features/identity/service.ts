import { isPublished, type Permission, permissionsByResource } from "#contract/permissions.ts";
import { contractVersion } from "#contract/version.ts";
import { badRequest } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { version } from "#platform/version.ts";
import { personOf, storedProvider } from "#services/api/access/callers/person.ts";
import type { resourceTypes } from "#services/api/access/permissions/policy/document.ts";
import { kindOfType, subjectOf } from "#services/api/access/permissions/subjects.ts";
import { newestRequest } from "#services/api/features/owner-associations/service.ts";

type Deps = Pick<Context, "db"> & { authorizer: Authorizer };

/** The name of anonymous callers when sign-in is disabled. */
const anonymousName = "admin";

/**
 * The caller of the request (Whoami). An anonymous caller is `admin`, without an owner; a user has
 * an owner when linked to one, and the newest request to be linked to one.
 */
export async function whoami(
  { db, authorizer }: Deps,
  actor: Caller,
) {
  const permissions = await authorizer.permissionsOf(actor);
  const identity = {
    username: actor.name ?? anonymousName,
    ...byPublication(permissions),
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

/** Permissions of the published contract, and those beyond it. */
function byPublication(permissions: readonly Permission[]) {
  return {
    permissions: permissions.filter(isPublished),
    further_permissions: permissions.filter((one) => !isPublished(one)),
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

interface UserQuestion {
  username: string;
  provider?: string;
  /** Both or none. */
  resource_type?: "DATA_ENTITY" | "TERM" | "QUERY_EXAMPLE";
  resource_id?: number;
}

/**
 * What a user may do (UserPermissions): as policies decide for a session of that user, whether or not there is one. An
 * administrator of an identity provider counts as what the provider said last. Throws 400 for half a resource, and 404
 * for one that does not exist.
 */
export async function permissionsOfUser(
  { db, authorizer }: Deps,
  question: UserQuestion,
) {
  const { username } = question;
  const provider = storedProvider(question.provider);
  const admin = await isAdministrator(db, username, provider);
  const user: Caller = { kind: "user", name: username, provider, admin, credential: "session" };
  const permissions = await permissionsFor({ db, authorizer }, user, question);
  return {
    username,
    provider: provider || null,
    owner: await ownerOf(db, username, provider) ?? null,
    ...byPublication(permissions),
  };
}

async function permissionsFor(
  { db, authorizer }: Deps,
  user: Caller,
  { resource_type: type, resource_id: id }: UserQuestion,
): Promise<readonly Permission[]> {
  if (type === undefined && id === undefined) return await authorizer.permissionsOf(user);
  if (type === undefined || id === undefined) {
    const field = type === undefined ? "resource_type" : "resource_id";
    const message = "must be given: a resource is a type and an id";
    throw badRequest(`${field} ${message}`, [{ field, message }]);
  }
  const resource = { kind: kindOfType[type], id };
  await subjectOf(db, resource, null);
  return await authorizer.permissionsOn(user, resource);
}

/**
 * The published permissions that the caller holds on a resource, in the order of the contract. Throws 400 for
 * MANAGEMENT, whose permissions hold whatever the resource, and 404 when there is no such resource.
 */
export async function permissionsOn(
  { db, authorizer }: Deps,
  caller: Caller,
  type: (typeof resourceTypes)[number],
  id: number,
): Promise<Permission[]> {
  if (type === "MANAGEMENT") {
    throw badRequest("Resource type MANAGEMENT does not have context", [{
      field: "permission_resource_type",
      message: "must not be MANAGEMENT: whoami lists the global permissions",
    }]);
  }
  const resource = { kind: kindOfType[type], id };
  // Where everybody may do everything, nobody looks whether the resource is there.
  await subjectOf(db, resource, null);
  const granted = new Set(await authorizer.permissionsOn(caller, resource));
  return permissionsByResource[type].filter((one) => granted.has(one) && isPublished(one));
}

const ownerStatement = statement<{ owner: Record<string, unknown> }>("identity-owner")`
  SELECT json_owner(o) AS owner FROM user_owner u JOIN owner o ON o.id = u.owner_id
   WHERE u.username = $1 AND u.provider = $2`;

/** The owner that a user is linked to (Owner). */
async function ownerOf(db: Queryable, username: string, provider: string) {
  return (await db.query(ownerStatement, [username, provider]))[0]?.owner;
}

const administrator = statement<{ admin: boolean }>("identity-administrator")`
  SELECT admin FROM account WHERE username = $1 AND provider = $2`;

/** Whether the provider said, when a user signed in last, that it is an administrator. */
async function isAdministrator(db: Queryable, username: string, provider: string) {
  return (await db.query(administrator, [username, provider]))[0]?.admin ?? false;
}
