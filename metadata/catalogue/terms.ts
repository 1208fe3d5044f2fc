import type { TermState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const states = statement<{ terms: TermState[] }>("term-states-of-entity")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'namespace', n.name,
                    'is_description_link', l.mentioned) ORDER BY n.name, t.name), '[]') AS terms
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.entity_id = $1`;

/** The terms of an entity as the activity feed lists them. */
export async function termStates(tx: Transaction, entity: number): Promise<TermState[]> {
  return (await tx.query(states, [entity]))[0]!.terms;
}
