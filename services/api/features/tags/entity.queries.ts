import { tagsByHand } from "#metadata/catalogue/manual-tags.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

export const byHand = tagsByHand("entity");

const ofEntity = statement<JsonRow>("tag-of-entity")`SELECT json_tags($1)::text AS json`;

/** TagList of an entity as JSON text. */
export async function entityTags(tx: Transaction, entity: number): Promise<string> {
  return (await tx.query(ofEntity, [entity]))[0]!.json;
}
