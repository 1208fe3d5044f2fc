import type { Queryable } from "#metadata/postgres/database.ts";
import type { Subject } from "../support/subject.ts";
import { addEntity, addPolicies } from "./queries.ts";

export interface PolicySize {
  /** Policies of the caller's role, and statements of each. */
  policies: number;
  statements: number;
}

/** An entity to ask for; the same one on each call. */
export async function entityFor({ db }: Pick<Subject, "db">): Promise<number> {
  return (await db.query(addEntity))[0]!.id;
}

/**
 * Binds a user to an owner whose role has these policies. Of all their statements the last one alone grants the right
 * to configure alerts, and only on entities of a name, so that every check reads the entity and all statements.
 */
export async function bindToPolicies(
  db: Queryable,
  username: string,
  { policies, statements }: PolicySize,
): Promise<void> {
  const documents = Array.from({ length: policies }, (_, policy) =>
    JSON.stringify({
      statements: Array.from({ length: statements }, (_, statement) => {
        const last = policy === policies - 1 && statement === statements - 1;
        return {
          resource: {
            type: "DATA_ENTITY",
            conditions: {
              match: {
                "dataEntity:catrn": last ? "//bench/.*" : `//other/${policy}/${statement}/.*`,
              },
            },
          },
          permissions: ["DATA_ENTITY_ALERT_CONFIG_UPDATE"],
        };
      }),
    }));
  await db.query(addPolicies, [documents, username]);
}
