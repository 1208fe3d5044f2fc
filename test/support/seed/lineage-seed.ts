import { entityClasses, entityStatuses, entityTypes } from "#contract/entities.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import type { LineageScenario } from "#test/support/seed/lineage-cases.ts";

export interface SeededScenario {
  /** Entity ids by name. */
  ids: Map<string, number>;
  /** Outbox position after which a graph holds the scenario. */
  position: number;
}

/**
 * Writes a scenario straight into the metadata store, as ingesting it would leave it, and names its
 * entities in the lineage outbox. CATRNs are `//lineage/<random>/<name>`, so scenarios do not meet.
 */
export function seedScenario(db: Database, scenario: LineageScenario): Promise<SeededScenario> {
  return db.transaction(async (tx) => {
    const ids = await insertEntities(tx, scenario);
    await insertEdges(tx, scenario, ids);
    await insertGroups(tx, scenario, ids);
    const [row] = await tx.query<{ position: number }>("SELECT lineage_append($1) AS position", [
      [...ids.values()],
    ]);
    return { ids, position: row!.position };
  });
}

const entityStatement = `
  INSERT INTO data_entity (catrn, data_source_id, type_id, class_ids, external_name, hollow,
    excluded_from_search, status)
  VALUES ($1, $2, $3, $4, $5, $6, $6, $7) RETURNING id`;

async function insertEntities(tx: Transaction, scenario: LineageScenario) {
  const prefix = `//lineage/${crypto.randomUUID()}`;
  const [source] = await tx.query<{ id: number }>(
    "INSERT INTO data_source (catrn, name) VALUES ($1, $2) RETURNING id",
    [prefix, scenario.scenario],
  );
  const ids = new Map<string, number>();
  const names = new Set([...Object.keys(scenario.entities), ...Object.keys(scenario.groups)]);
  // One by one: the order of ids is part of a scenario.
  for (const name of names) {
    const spec = scenario.entities[name];
    const type =
      entityTypes[spec?.type ?? (name in scenario.groups ? "DATABASE_SERVICE" : "TABLE")];
    const hollow = spec?.hollow ?? false;
    const [row] = await tx.query<{ id: number }>(entityStatement, [
      `${prefix}/${name}`,
      hollow ? null : source!.id,
      hollow ? null : type.id,
      hollow ? [] : [entityClasses[type.classes[0]!]],
      hollow ? null : name,
      hollow,
      spec?.deleted ? entityStatuses.DELETED : entityStatuses.UNASSIGNED,
    ]);
    ids.set(name, row!.id);
  }
  return ids;
}

const edgeStatement = `
  INSERT INTO lineage_edge (establisher_id, parent_id, child_id, live)
  SELECT e, p, c, NOT EXISTS (SELECT FROM data_entity d WHERE d.id IN (p, c) AND d.status = 5)
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) u (e, p, c)`;

async function insertEdges(tx: Transaction, scenario: LineageScenario, ids: Map<string, number>) {
  await tx.query(edgeStatement, [
    scenario.edges.map((e) => ids.get(e.establisher)),
    scenario.edges.map((e) => ids.get(e.parent)),
    scenario.edges.map((e) => ids.get(e.child)),
  ]);
}

async function insertGroups(tx: Transaction, scenario: LineageScenario, ids: Map<string, number>) {
  const members = Object.entries(scenario.groups)
    .flatMap(([group, names]) => names.map((name) => [ids.get(group), ids.get(name)]));
  await tx.query(
    `INSERT INTO group_member (group_id, member_id, origin)
     SELECT g, m, 'LIST' FROM unnest($1::bigint[], $2::bigint[]) u (g, m)`,
    [members.map((m) => m[0]), members.map((m) => m[1])],
  );
}
