import type { CustomGroupState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Maximum number of members that one activity state names. */
const membersInState = 1_000;

/** A group without its members. */
export type GroupFacts = Omit<CustomGroupState, "entities" | "entities_total">;

const facts = statement<{ facts: GroupFacts }>("group-facts")`
  SELECT json_build_object(
           'id', g.id, 'internal_name', g.internal_name,
           'entity_classes', class_names(g.class_ids),
           'type', (SELECT t.name FROM entity_type t WHERE t.id = g.type_id),
           'namespace_name', (SELECT n.name FROM namespace n WHERE n.id = g.namespace_id)) AS facts
    FROM data_entity g WHERE g.id = $1`;

/** The group part of an activity state, without its members. */
export async function groupFacts(tx: Transaction, id: number): Promise<GroupFacts> {
  const rows = await tx.query(facts, [id]);
  return rows[0]!.facts;
}

/** Members that were added and removed, by id. */
export interface MemberChanges {
  added: number[];
  removed: number[];
}

/** The members of a group in one state. */
export type GroupMembers = Pick<CustomGroupState, "entities" | "entities_total">;

const named = (ids: string) => `
  (SELECT coalesce(json_agg(json_build_object(
            'id', e.id, 'internal_name', e.internal_name, 'external_name', e.external_name,
            'entity_classes', class_names(e.class_ids)) ORDER BY e.id), '[]')
     FROM data_entity e WHERE e.id IN (${ids}))`;

// Changed members come first; the same unchanged ones follow in both states, so the difference
// between the states is exactly the change.
const members = statement<{ before: GroupMembers; after: GroupMembers }>("group-members-moved")`
  WITH member AS MATERIALIZED (SELECT DISTINCT member_id AS id FROM group_member WHERE group_id = $1),
  added AS MATERIALIZED (SELECT unnest($2::bigint[]) AS id),
  removed AS MATERIALIZED (SELECT unnest($3::bigint[]) AS id EXCEPT SELECT id FROM member),
  counted AS (
    SELECT (SELECT count(*) FROM member) AS members, (SELECT count(*) FROM added) AS added,
           (SELECT count(*) FROM removed) AS removed),
  others AS MATERIALIZED (
    SELECT id FROM (SELECT id FROM member EXCEPT SELECT id FROM added) m ORDER BY id
     LIMIT (SELECT greatest(${membersInState} - greatest(c.added, c.removed), 0) FROM counted c))
  SELECT json_build_object(
           'entities', ${
  named(`SELECT id FROM others UNION ALL
             (SELECT id FROM removed ORDER BY id LIMIT ${membersInState})`)
},
           'entities_total', c.members - c.added + c.removed) AS before,
         json_build_object(
           'entities', ${
  named(`SELECT id FROM others UNION ALL
             (SELECT id FROM added ORDER BY id LIMIT ${membersInState})`)
},
           'entities_total', c.members) AS after
    FROM counted c`;

/** Members before and after a change that was already made, at most `membersInState` in each. */
export async function memberStates(
  tx: Transaction,
  id: number,
  { added, removed }: MemberChanges,
): Promise<{ before: GroupMembers; after: GroupMembers }> {
  const values = [id, added, removed];
  const rows = await tx.query(members, values);
  return rows[0]!;
}
