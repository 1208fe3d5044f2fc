import { type EntityType, entityTypes } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Maximum number of names of each kind that are read; a message shows fewer. */
const maxNames = 200;

/** What a posted message shows of its entity. */
export interface Subject {
  id: number;
  name: string | null;
  type: string | null;
  dataSource: string | null;
  namespace: string | null;
  owners: { owner: string; title: string | null }[];
  tags: string[];
  groups: string[];
}

type Row = Omit<Subject, "type" | "dataSource"> & {
  type_id: number | null;
  data_source: string | null;
};

const subject = statement<Row>("message-subject")`
  SELECT e.id, e.type_id, s.name AS data_source, n.name AS namespace,
         CASE WHEN NOT e.hollow THEN coalesce(e.internal_name, e.external_name, e.catrn) END AS name,
         (SELECT coalesce(json_agg(json_build_object('owner', p.owner, 'title', p.title)
                                   ORDER BY p.owner, p.title), '[]')
            FROM (SELECT w.name AS owner, t.name AS title
                    FROM ownership o JOIN owner w ON w.id = o.owner_id
                    LEFT JOIN title t ON t.id = o.title_id
                   WHERE o.entity_id = e.id ORDER BY 1, 2 LIMIT ${maxNames}) p) AS owners,
         ARRAY(SELECT t.name FROM entity_tag x JOIN tag t ON t.id = x.tag_id
                WHERE x.entity_id = e.id GROUP BY t.id ORDER BY t.important DESC, t.name
                LIMIT ${maxNames}) AS tags,
         ARRAY(SELECT coalesce(g.internal_name, g.external_name, g.catrn)
                 FROM group_member m JOIN data_entity g ON g.id = m.group_id
                WHERE m.member_id = e.id AND is_live(g.status) AND NOT g.hollow
                GROUP BY g.id ORDER BY 1 LIMIT ${maxNames}) AS groups
    FROM data_entity e
    LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
   WHERE e.id = $1`;

const typeNames = new Map(
  Object.entries(entityTypes).map(([name, { id }]) => [id, name as EntityType]),
);

/** What a message shows of this entity; undefined when it is gone. */
export async function subjectOf(db: Queryable, entityId: number): Promise<Subject | undefined> {
  const [row] = await db.query(subject, [entityId]);
  if (!row) return undefined;
  const { type_id, data_source, ...rest } = row;
  const type = type_id === null ? null : typeNames.get(type_id) ?? null;
  return { ...rest, type, dataSource: data_source };
}
