import { expect } from "vitest";
import type { Database } from "#metadata/postgres/database.ts";
import type { Model } from "./producer.ts";

/** Expects that the catalogue holds the model: all of it, nothing else, each thing once. */
export async function expectHolds(db: Database, model: Model, prefix: string): Promise<void> {
  const entities = await db.query<{ catrn: string; name: string; created: number }>(
    `SELECT e.catrn, e.external_name AS name,
            (SELECT count(*)::int FROM activity a
              WHERE a.entity_id = e.id AND a.event_type = 'DATA_ENTITY_CREATED') AS created
       FROM data_entity e WHERE starts_with(e.catrn, $1) AND NOT e.hollow`,
    [prefix],
  );
  expect(sorted(entities.map((e) => `${e.catrn} = ${e.name}`)))
    .toEqual(sorted([...model.names].map(([catrn, name]) => `${catrn} = ${name}`)));
  expect(entities.filter((e) => e.created !== 1)).toEqual([]);
  const edges = await db.query<{ edge: string; live: boolean }>(
    `SELECT est.catrn || ': ' || p.catrn || ' > ' || c.catrn AS edge, l.live
       FROM lineage_edge l
       JOIN data_entity est ON est.id = l.establisher_id
       JOIN data_entity p ON p.id = l.parent_id JOIN data_entity c ON c.id = l.child_id
      WHERE starts_with(est.catrn, $1)`,
    [prefix],
  );
  expect(sorted(edges.map((e) => e.edge))).toEqual(sorted([...model.edges]));
  expect(edges.filter((e) => !e.live)).toEqual([]);
}

const sorted = (texts: string[]) => [...texts].sort();
