import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** What has a name; spellings of one are merged. */
export type Kind = "namespace" | "owner" | "tag" | "term";

/** A stored spelling; of a term, `name` is `namespace:term`. */
export interface Spelling {
  id: number;
  name: string;
}

const spelled = (kind: Exclude<Kind, "term">) => `
    SELECT '${kind.toUpperCase()}' AS kind, x.folded AS key, '' AS within, x.id, x.name FROM ${kind} x
     WHERE x.folded IN (SELECT folded FROM ${kind} WHERE is_duplicate)`;

// Terms of namespaces with equal names are equal as well. Only few rows are marked; unmarked ones are not spellings.
const list = statement<JsonRow>("spellings-list")`
  WITH spelled AS (
    ${(["namespace", "owner", "tag"] as const).map(spelled).join(" UNION ALL ")}
    UNION ALL
    SELECT 'TERM', t.folded, n.folded, t.id, n.name || ':' || t.name
      FROM term t JOIN namespace n ON n.id = t.namespace_id
     WHERE n.folded IN (SELECT folded FROM namespace WHERE is_duplicate)
        OR t.folded IN (SELECT folded FROM term WHERE is_duplicate)
  ), found AS (
    SELECT kind, within, key, json_agg(json_build_object('id', id, 'name', name) ORDER BY id) AS spellings
      FROM spelled GROUP BY kind, within, key HAVING count(*) > 1)
  ${
  listOfFound({
    each: "json_build_object('kind', kind, 'spellings', spellings)",
    by: "kind, within, key",
    window: ["$1", "$2"],
  })
}`;

/** DuplicateNameList as JSON text. */
export async function duplicateNames(db: Queryable, page: PageWindow): Promise<string> {
  return (await db.query(list, [page.limit, page.offset]))[0]!.json;
}

const one = (kind: Exclude<Kind, "term">, lock: string) => `
  SELECT id, name FROM ${kind} WHERE folded = (SELECT folded FROM ${kind} WHERE id = $1) ORDER BY id ${lock}`;
const oneTerm = (lock: string) => `
  SELECT t.id, n.name || ':' || t.name AS name FROM term t JOIN namespace n ON n.id = t.namespace_id
   WHERE (n.folded, t.folded) = (SELECT m.folded, s.folded FROM term s JOIN namespace m ON m.id = s.namespace_id
                                  WHERE s.id = $1)
   ORDER BY t.id ${lock}`;

const statements = {
  namespace: statement<Spelling>("spellings-lock-namespace")`${one("namespace", "FOR UPDATE")}`,
  owner: statement<Spelling>("spellings-lock-owner")`${one("owner", "FOR UPDATE")}`,
  tag: statement<Spelling>("spellings-lock-tag")`${one("tag", "FOR UPDATE")}`,
  term: statement<Spelling>("spellings-lock-term")`${oneTerm("FOR UPDATE OF t")}`,
};

/** All spellings of the name of a row, locked against all that begins to refer to them; none for an unknown row. */
export function lockSpellings(tx: Transaction, kind: Kind, id: number): Promise<Spelling[]> {
  return tx.query(statements[kind], [id]);
}

const terms = statement<Spelling>("spellings-of-term")`${oneTerm("")}`;

/** All spellings of the name of a term. */
export function spellingsOfTerm(db: Queryable, id: number): Promise<Spelling[]> {
  return db.query(terms, [id]);
}

const removing = (kind: Kind) => ({
  remove: statement(`spellings-remove-${kind}`)`DELETE FROM ${kind} WHERE id = ANY($1::bigint[])`,
  unmark: statement(`spellings-unmark-${kind}`)`
    UPDATE ${kind} SET is_duplicate = false WHERE id = $1 AND is_duplicate`,
});
const removals = {
  namespace: removing("namespace"),
  owner: removing("owner"),
  tag: removing("tag"),
  term: removing("term"),
};

/** Deletes spellings that nothing refers to any more; `into` is the one that stays. */
export async function removeSpellings(tx: Transaction, kind: Kind, into: number, ids: number[]) {
  const { remove, unmark } = removals[kind];
  await tx.query(remove, [ids]);
  await tx.query(unmark, [into]);
}
