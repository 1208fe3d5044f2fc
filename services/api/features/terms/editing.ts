import type { Actor } from "#contract/actor.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed, nameKey } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { recordMentions, refuseMentioned } from "#services/api/features/terms/mentions.ts";
import * as queries from "#services/api/features/terms/queries.ts";
import type { TermForm } from "#services/api/features/terms/schemas.ts";
import { spelled } from "#services/api/spelling.ts";

type Deps = Pick<Context, "db">;

/**
 * Creates a term, and its namespace if it does not exist; TermDetails as JSON text. Texts that mention it
 * already are links from now on. Throws 400 (USR003) when the namespace has a term of that name.
 */
export function createTerm(context: Deps, actor: Actor, form: TermForm): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const id = await queries.insertTerm(tx, await rowOf(tx, form));
    if (id === undefined) throw taken(form);
    await recordMentions(tx, { kind: "term", id }, form.definition, "definition");
    change.searchable([id], "term");
    return (await queries.termDetails(tx, id))!;
  });
}

/**
 * Changes a term; TermDetails as JSON text. What people linked with it is found by a new name soon after. Throws 404,
 * 400 (USR003) when the name is taken, and 400 (USR004) for another name or namespace while a text mentions the term;
 * another spelling of its name is no other name.
 */
export function updateTerm(
  context: Deps,
  actor: Actor,
  id: number,
  form: TermForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const row = await rowOf(tx, form);
    const before = await locked(tx, id, "change");
    await recordMentions(tx, { kind: "term", id }, form.definition, "definition");
    const isRenamed = await nameKey(tx, row.name) !== before.folded;
    if (before.namespaceId !== row.namespaceId || isRenamed) {
      await locked(tx, id, "name");
      // The new definition is recorded already: it must not mention the old name either.
      const name = before.mentionedAs;
      await refuseMentioned(tx, { kind: "term", id, name, done: "renamed", own: true });
    }
    await queries.updateTerm(tx, id, row);
    change.searchable([id], "term");
    return (await queries.termDetails(tx, id))!;
  }, { unique: () => taken(form) });
}

/**
 * Deletes a term, and removes all its links; as for a tag, the feed has no event for it. Throws
 * 404, and 400 (USR004) while a text of something else mentions it.
 */
export function deleteTerm(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const { mentionedAs: name } = await locked(tx, id, "name");
    await refuseMentioned(tx, { kind: "term", id, name, done: "deleted", own: false });
    change.searchable(await queries.deleteTerm(tx, id));
  });
}

async function rowOf(tx: Transaction, form: TermForm): Promise<queries.TermRow> {
  const { name, definition, namespace_name } = form;
  return { namespaceId: (await ensureNamed(tx, "namespace", namespace_name))!, name, definition };
}

async function locked(tx: Transaction, id: number, against: "change" | "name") {
  const term = await queries.lockTerm(tx, id, against);
  if (!term) throw notFound("Term", id);
  return term;
}

function taken({ name, namespace_name }: TermForm) {
  return conflict(`There is already a term called ${name} in namespace ${namespace_name}`, [
    { field: "name", message: `must not be the name of another term of the namespace, ${spelled}` },
  ]);
}
