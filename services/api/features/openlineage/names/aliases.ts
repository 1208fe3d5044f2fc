import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { catrnsOf, type NameRef, type NamingSettings } from "#platform/naming/openlineage/names.ts";

/** Another name of a dataset, and what it is to it: `table`, `location` or `name`. */
export interface Alias extends NameRef {
  role: string;
}

/** $1 CATRN of a dataset by the rules. No group has more than 50 names. */
const others = statement<Alias>("openlineage-name-aliases")`
  SELECT d.namespace, d.name,
         CASE WHEN EXISTS (SELECT FROM ol_alias_link l WHERE l.to_key = d.key AND l.kind = 'location')
                THEN 'location'
              WHEN EXISTS (SELECT FROM ol_alias_link l WHERE l.from_key = d.key AND l.kind = 'location')
                THEN 'table'
              ELSE 'name' END AS role
    FROM ol_dataset own JOIN ol_dataset d ON d.catrn = own.catrn AND d.key <> own.key
   WHERE own.key = $1 ORDER BY d.key LIMIT 50`;

/** The other names of a dataset from events. */
export function aliasesOf(
  db: Queryable,
  name: NameRef,
  settings: NamingSettings,
): Promise<Alias[]> {
  return db.query(others, [catrnsOf(name, settings).catrn]);
}
