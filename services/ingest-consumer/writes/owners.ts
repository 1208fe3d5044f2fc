import { maxOwners } from "#contract/ingestion/limits.ts";
import type { IngestedOwners } from "#contract/ingestion/schema.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, columns, integer } from "../statement.ts";

/**
 * Makes an entity's external owners exactly the reported ones, except for owners set by a person and for
 * what is beyond the most there may be. An item without `owners` leaves them as they are.
 */
export async function writeOwners(tx: Transaction, set: ChangeSet): Promise<void> {
  const withOwners = set.changes.filter(({ item }) => item.owners);
  const wanted = withOwners.flatMap(({ id, item }) =>
    firstOfEach(item.owners!, set).map(({ owner, title }, place) => ({
      id,
      place,
      owner,
      title: title ? set.names.titleIds.get(title)! : null,
    }))
  );
  const earlier = withOwners.filter(({ fresh }) => !fresh).map(({ id }) => id);
  if (wanted.length === 0 && earlier.length === 0) return;
  const ownerColumns = columns(
    wanted,
    bigint((w) => w.id),
    bigint((w) => w.owner),
    bigint((w) => w.title),
    integer((w) => w.place),
  );
  await tx.query(replace, [bigints(earlier), maxOwners, ...ownerColumns]);
}

/** Two spellings of one name are one owner. */
function firstOfEach(owners: IngestedOwners, { names }: ChangeSet) {
  const known = new Set<number>();
  return owners.map(({ name, title }) => ({ owner: names.ownerIds.get(name)!, title }))
    .filter(({ owner }) => !known.has(owner) && known.add(owner));
}

/**
 * $1 entities with earlier rows, $2 most owners of one; $3 entities, $4 owners, $5 titles and $6 positions as reported, each owner
 * of an entity once. What people gave stays, and takes its room first; the entities are locked.
 */
const replace = statement("ingest-replace-owners")`
  WITH reported AS (
     SELECT w.*, row_number() OVER (PARTITION BY entity_id ORDER BY place) AS nth
       FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
            AS w (entity_id, owner_id, title_id, place)
      WHERE NOT EXISTS (
        SELECT FROM ownership o
         WHERE o.entity_id = w.entity_id AND o.owner_id = w.owner_id AND NOT o.external)),
   given AS (
     SELECT entity_id, count(*) AS owners FROM ownership
      WHERE entity_id = ANY($1::bigint[]) AND NOT external GROUP BY entity_id),
   wanted AS MATERIALIZED (
     SELECT t.entity_id, t.owner_id, t.title_id, t.place
       FROM reported t LEFT JOIN given g ON g.entity_id = t.entity_id
      WHERE t.nth + coalesce(g.owners, 0) <= $2),
   gone AS (
     DELETE FROM ownership o WHERE o.entity_id = ANY($1::bigint[]) AND o.external
       AND NOT EXISTS (
         SELECT FROM wanted w WHERE w.entity_id = o.entity_id AND w.owner_id = o.owner_id))
   INSERT INTO ownership AS o (entity_id, owner_id, title_id, external)
   SELECT entity_id, owner_id, title_id, true FROM wanted ORDER BY entity_id, place
   ON CONFLICT (entity_id, owner_id) DO UPDATE SET title_id = excluded.title_id
     WHERE o.external AND o.title_id IS DISTINCT FROM excluded.title_id`;
