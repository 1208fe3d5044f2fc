import { type EntityType, entityTypes } from "#contract/entities.ts";
import type { NotifiedEntity } from "#contract/notifications.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import * as sql from "./queries.ts";

/** An entity as messages name one, with what decides whether they do. */
export interface MessageEntity {
  shown: NotifiedEntity;
  hollow: boolean;
  deleted: boolean;
}

interface EntityRow extends Record<string, unknown> {
  id: number;
  hollow: boolean;
  deleted: boolean;
  type_id: number | null;
  name: string | null;
  data_source_name: string | null;
  namespace_name: string | null;
  owners: NotifiedEntity["owners"];
}

const typeNames = new Map(
  Object.entries(entityTypes).map(([name, { id }]) => [id, name as EntityType]),
);

/** The entities with these ids; those that are gone are missing. One query, however many they are. */
export async function knownEntities(
  db: Queryable,
  ids: number[],
): Promise<Map<number, MessageEntity>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<EntityRow>(sql.entities, [ids]);
  return new Map(rows.map((row) => [row.id, known(row)]));
}

function known({ hollow, deleted, type_id, ...row }: EntityRow): MessageEntity {
  const { id, name, data_source_name, namespace_name, owners } = row;
  const type = type_id === null ? null : typeNames.get(type_id) ?? null;
  return { hollow, deleted, shown: { id, name, data_source_name, namespace_name, type, owners } };
}
