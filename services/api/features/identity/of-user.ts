import { isPublished, type Permission } from "#contract/permissions.ts";
import { badRequest } from "#kit/errors.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { storedProvider } from "#services/api/access/callers/person.ts";
import { kindOfType, subjectOf } from "#services/api/access/permissions/subjects.ts";
import { isAdministrator, ownerOf } from "#services/api/features/identity/queries.ts";

export interface UserQuestion {
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
  { db, authorizer }: { db: Database; authorizer: Authorizer },
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
    permissions: permissions.filter(isPublished),
    further_permissions: permissions.filter((one) => !isPublished(one)),
  };
}

async function permissionsFor(
  { db, authorizer }: { db: Database; authorizer: Authorizer },
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
