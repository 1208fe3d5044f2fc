import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { nameKey } from "#metadata/catalogue/names.ts";
import type { Context } from "#platform/context.ts";
import { readDependants } from "#services/api/dependants.ts";
import { spelled } from "#services/api/spelling.ts";
import { refuseMentioned } from "#services/api/features/terms/service.ts";
import * as queries from "#services/api/features/namespaces/queries.ts";

type Deps = Pick<Context, "db">;

/** One page of the namespaces whose name contains `query`; NamespaceList as JSON text. */
export function listNamespaces(
  { db }: Deps,
  query: ListQuery,
): Promise<string> {
  return queries.namespaceList(db.reads, containsPattern(query.query ?? ""), pageWindow(query));
}

/** Throws 404. */
export async function getNamespace({ db }: Deps, id: number) {
  const found = await queries.namespaceById(db, id);
  if (!found) throw notFound("Namespace", id);
  return found;
}

/** Throws 400 (USR003) when the name is taken. */
export async function createNamespace(context: Deps, actor: Actor, name: string) {
  const made = await changing(context, actor, ({ tx }) => queries.insertNamespace(tx, name));
  if (!made) throw taken(name);
  return made;
}

/**
 * Renames; the search documents of the namespace's contents follow in the background. Throws 404,
 * 400 (USR003) when the name is taken, and 400 (USR004) while a text mentions a term of the namespace
 * and the new name is not just another spelling.
 */
export async function renameNamespace(context: Deps, actor: Actor, id: number, name: string) {
  const renamed = await changing(
    context,
    actor,
    async ({ tx }) => {
      const before = await queries.lockNamespace(tx, id);
      if (!before) return undefined;
      if (before.name === name) return { id, name };
      const isRenamed = await nameKey(tx, name) !== before.folded;
      const refused = {
        kind: "namespace",
        id,
        name: before.name,
        done: "renamed",
        own: true,
      } as const;
      if (isRenamed) await refuseMentioned(tx, refused);
      return await queries.renameNamespace(tx, id, name);
    },
    { unique: () => taken(name) },
  );
  if (!renamed) throw notFound("Namespace", id);
  return renamed;
}

/** Throws 404, and 400 (USR004) while the namespace has a source, a collector, a term or a live group. */
export async function deleteNamespace(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Namespace ${id} is in use: move what is in it to another one first`;
  const deleted = await changing(context, actor, ({ tx }) => queries.deleteNamespace(tx, id), {
    foreignKey: () => readDependants(context.db, inUse, queries.inNamespace, id),
  });
  if (!deleted) throw notFound("Namespace", id);
}

function taken(name: string) {
  return conflict(`There is already a namespace called ${name}`, [
    { field: "name", message: `must not be the name of another namespace, ${spelled}` },
  ]);
}
