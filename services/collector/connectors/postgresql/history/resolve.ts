import type { RelationName } from "../names.ts";
import type { NamedRelation, RolePath } from "./queries.ts";
import type { NameParts } from "./statement.ts";
import { nameParts } from "./statement.ts";

/** Where roles look unless something else is set. */
const serverDefault = '"$user", public';

/** Schemas in which a role looks for a table, in order. */
export function schemasOf(
  { name, path }: Pick<RolePath, "name" | "path">,
  standard: string | null,
): string[] {
  return (path ?? standard ?? serverDefault).split(",").flatMap((one) => nameParts(one.trim()))
    .map((schema) => schema === "$user" ? name : schema);
}

/** Finds the relations that statements name, as the server does. */
export class RelationIndex {
  readonly #byName: Map<string, NamedRelation[]>;

  constructor(relations: NamedRelation[], private readonly database: string) {
    this.#byName = Map.groupBy(relations, ({ givenName }) => givenName);
  }

  /**
   * The table of that name; undefined for one that is gone, temporary, or of another database. A name without schema
   * that none of the role's schemas holds is that of the only table which is called so: sessions can set other schemas.
   */
  find(parts: NameParts, schemas: string[]): RelationName | undefined {
    const [name, schema, database, ...more] = parts.toReversed();
    if (name === undefined || more.length > 0) return undefined;
    if (database !== undefined && database !== this.database) return undefined;
    const called = this.#byName.get(name) ?? [];
    const within = (one: string) => called.find(({ givenSchema }) => givenSchema === one);
    if (schema !== undefined) return within(schema);
    const found = schemas.map(within).find((one) => one !== undefined);
    return found ?? (called.length === 1 ? called[0] : undefined);
  }
}
