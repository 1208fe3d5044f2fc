import { maxOwners } from "#contract/ingestion/limits.ts";
import type { IngestedOwners } from "#contract/ingestion/owners.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet } from "../change-set.ts";
import { bigint, columns, integer, run } from "../statement.ts";
import * as sql from "./owners.queries.ts";

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
  await run(tx, sql.replace, [bigints(earlier), maxOwners, ...ownerColumns]);
}

/** Two spellings of one name are one owner. */
function firstOfEach(owners: IngestedOwners, { names }: ChangeSet) {
  const known = new Set<number>();
  return owners.map(({ name, title }) => ({ owner: names.ownerIds.get(name)!, title }))
    .filter(({ owner }) => !known.has(owner) && known.add(owner));
}
