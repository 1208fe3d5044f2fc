import { columnsOf } from "#metadata/postgres/statement.ts";
import { system } from "#contract/actor.ts";
import { type Change, changingWithin } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import { termStates } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { PublisherDeps } from "../publisher/queue.ts";
import * as sql from "./links.ts";
import type { DueLink } from "./links.ts";

/** Maximum number of links of one round. */
const limit = 200;

/** Seconds after which a link is tried again whose entity is not in the catalogue yet. */
const retrySeconds = 2;

/** A link that is due, with its term. */
interface KnownLink {
  link: DueLink;
  /** The entity that it is to be on by now; null: on none. */
  target: number | null;
  term: number | null;
}

/**
 * Makes terms and links that are due, and removes those that are no longer wanted. What people linked or wrote stays.
 * Resolves with how many links were due.
 */
export async function applyTermLinks({ db }: Pick<PublisherDeps, "db">): Promise<number> {
  return await retryingTransaction(db, async (tx) => {
    const due = await tx.query(sql.dueLinks, [limit]);
    if (due.length === 0) return 0;
    await changingWithin(tx, system, async (change) => {
      const terms = await ensureTerms(change, due.filter(({ wanted }) => wanted));
      const links = due.map((link): KnownLink => ({
        link,
        target: link.wanted ? link.target : null,
        term: terms.get(keyOf(link)) ?? null,
      }));
      await applyToEntities(change, links);
    });
    return due.length;
  });
}

const keyOf = ({ namespace, name }: DueLink) => JSON.stringify([namespace, name]);

/** The ids of the terms of links, by namespace and name; they are made if missing, and defined. */
async function ensureTerms(change: Change, links: DueLink[]): Promise<Map<string, number>> {
  if (links.length === 0) return new Map();
  const { tx } = change;
  const spaces = await ensureAllNamed(tx, "namespace", links.map(({ namespace }) => namespace));
  const ids = links.map(({ namespace }) => spaces.get(namespace)!);
  const names = links.map(({ name }) => name);
  const made = await tx.query(sql.addTerms, [
    ids,
    names,
    links.map(({ definition }) => definition),
  ]);
  const found = new Map(
    (await tx.query(sql.termsNamed, [ids, names])).map((row) => [
      JSON.stringify([row.namespace_id, row.name]),
      row.id,
    ]),
  );
  const terms = new Map(
    links.flatMap((link, at): [string, number][] => {
      const id = found.get(JSON.stringify([ids[at], link.name]));
      return id === undefined ? [] : [[keyOf(link), id]];
    }),
  );
  const known = links.filter((link) => terms.has(keyOf(link)));
  const defined = await tx.query(sql.defineTerms, [
    known.map((link) => terms.get(keyOf(link))!),
    known.map(({ definition }) => definition),
    known.map((link) => link.defined),
  ]);
  change.searchable([...made, ...defined].map(({ id }) => id), "term");
  return terms;
}

async function applyToEntities(change: Change, links: KnownLink[]): Promise<void> {
  const { tx } = change;
  const moved = links.filter(({ link, target, term }) =>
    link.entity_id !== null && (link.entity_id !== target || link.term_id !== term)
  );
  const added = links.filter(({ link, target, term }) =>
    target !== null && term !== null && (link.entity_id !== target || link.term_id !== term)
  );
  const touched = new Set([
    ...moved.map(({ link }) => link.entity_id!),
    ...added.map(({ target }) => target!),
  ]);
  const locked = await lockEntities(tx, [...touched].sort((a, b) => a - b));
  const ids = [...touched].filter((id) => locked.has(id));
  const before = await statesOf(tx, ids);
  const former = columnsOf(moved.map(({ link }) => link), "entity_id", "term_id");
  await tx.query(sql.removeLinks, former);
  const rows = await tx.query(sql.addLinks, columnsOf(added, "target", "term"));
  const made = new Set(rows.map((row) => JSON.stringify([row.entity_id, row.term_id])));
  await settle(tx, links, made);
  const after = await statesOf(tx, ids);
  for (const entityId of ids) {
    const [was, is] = [before.get(entityId)!, after.get(entityId)!];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    change.record({ type: "TERM_ASSIGNMENT_UPDATED", entityId, before: was, after: is });
    change.searchable([entityId]);
  }
}

async function statesOf(tx: Transaction, ids: number[]) {
  const states = new Map<number, Awaited<ReturnType<typeof termStates>>>();
  for (const id of ids) states.set(id, await termStates(tx, id));
  return states;
}

/** Remembers what was made, so that only that is removed later. */
async function settle(tx: Transaction, links: KnownLink[], made: Set<string>): Promise<void> {
  const gone = links.map(({ link }) => link).filter(({ wanted }) => !wanted);
  await tx.query(sql.forgetLinks, columnsOf(gone, "urn", "term"));
  const rest = links.filter(({ link }) => link.wanted).map(({ link, target, term }) => {
    const stays = link.entity_id !== null && link.entity_id === target && link.term_id === term;
    const isOurs = stays || made.has(JSON.stringify([target, term]));
    const waits = link.catrn !== null && target === null;
    return {
      urn: link.urn,
      named: link.term,
      target: isOurs ? target : null,
      term: isOurs ? term : null,
      definition: link.definition,
      seconds: waits ? retrySeconds : null,
    };
  });
  const columns = columnsOf(rest, "urn", "named", "target", "term", "definition", "seconds");
  await tx.query(sql.settleLinks, columns);
}
