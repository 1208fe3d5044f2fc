import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import { isModel, modelPrefix } from "#platform/datahub/aspects.ts";
import { addFollowed, counterparts, dirtyEntities } from "#platform/datahub/store.queries.ts";
import type { PublisherDeps } from "./queue.ts";
import { candidateTables } from "./facts.ts";

/** Maximum number of changed entities of a round, and of entities that name them. */
export const followerLimits = { changed: 20, followers: 1_000 };

const nodePrefix = "urn:li:glossaryNode:";
const termPrefix = "urn:li:glossaryTerm:";

/** $1 limit: changed entities whose followers nobody else has mapped again, the oldest first. */
const changed = statement<{ named: string; after: string }>("dh-followed-changed")`
  SELECT named, after FROM dh_follower ORDER BY since, named LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** $1 urn, $2 the last one that was mapped again, $3 limit: the next that name it. */
const next = statement<{ urn: string }>("dh-followed-next")`
  SELECT DISTINCT urn FROM dh_reference WHERE named = $1 AND urn > $2 ORDER BY urn LIMIT $3`;

const done = statement("dh-followed-done")`DELETE FROM dh_follower WHERE named = ANY($1::text[])`;

/** $1 urns, $2 the last one that was mapped again of each. */
const proceed = statement("dh-followed-proceed")`
  UPDATE dh_follower f SET after = n.after FROM unnest($1::text[], $2::text[]) AS n (named, after)
   WHERE f.named = n.named`;

/**
 * Marks what names an entity that changed, to be mapped again: a domain or a tag may be named by any number of entities, so
 * this goes on over as many rounds as it takes. Resolves with how many entities will be mapped again.
 */
export async function followChanges({ db }: Pick<PublisherDeps, "db">): Promise<number> {
  return await retryingTransaction(db, async (tx) => {
    const rows = await tx.query(changed, [followerLimits.changed]);
    if (rows.length === 0) return 0;
    const followers = new Set<string>();
    const progress: { named: string; after: string }[] = [];
    const ended: string[] = [];
    // Terms show their node, and entities the terms.
    const terms: string[] = [];
    for (const { named, after } of rows) {
      const left = followerLimits.followers - followers.size;
      if (left <= 0) break;
      const some = (await tx.query(next, [named, after, left])).map(({ urn }) => urn);
      if (named.startsWith(nodePrefix)) {
        terms.push(...some.filter((urn) => urn.startsWith(termPrefix)));
      }
      for (const urn of some) followers.add(urn);
      if (some.length < left) ended.push(named);
      else progress.push({ named, after: some.at(-1)! });
    }
    for (const table of await tablesOf(tx, [...followers].filter(isModel))) followers.add(table);
    if (followers.size > 0) await tx.query(dirtyEntities, [[...followers]]);
    if (ended.length > 0) await tx.query(done, [ended]);
    if (terms.length > 0) await tx.query(addFollowed, [terms]);
    if (progress.length > 0) {
      await tx.query(proceed, columnsOf(progress, "named", "after"));
    }
    return followers.size;
  });
}

/** The datasets that show what these models name. */
async function tablesOf(tx: Transaction, models: string[]): Promise<string[]> {
  if (models.length === 0) return [];
  const named = (await tx.query(counterparts, [models, modelPrefix])).map((row) => row.named);
  const naming = (await tx.query(candidateTables, [models])).map(({ urn }) => urn);
  return [...named, ...naming].filter((urn) => !isModel(urn));
}
