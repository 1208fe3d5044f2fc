import type { Database } from "#metadata/postgres/database.ts";
import type { Shape } from "./graphs.ts";

const insertEntities = `
  INSERT INTO data_entity (catrn, data_source_id, type_id, class_ids, external_name, last_ingested_at)
  SELECT $1 || '/' || n, $2, 1, '{1}', 'table_' || n, now() FROM generate_series(0, $3::int - 1) n
  ORDER BY n RETURNING id`;

const insertEdges = `
  INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
  SELECT c, p, c FROM unnest($1::bigint[], $2::bigint[]) u (p, c) ON CONFLICT DO NOTHING`;

/**
 * Writes a graph straight into the metadata store, in the state that ingestion would leave, and waits until a
 * projected graph holds it. Returns entity ids by number.
 */
export async function load(
  db: Database,
  name: string,
  shape: Shape,
  projected: boolean,
): Promise<number[]> {
  const [source] = await db.query<{ id: number }>(
    "INSERT INTO data_source (catrn, name) VALUES ($1, $1) RETURNING id",
    [`//bench/${name}`],
  );
  const rows = await db.query<{ id: number }>(insertEntities, [
    `//bench/${name}`,
    source!.id,
    shape.entities,
  ]);
  const ids = rows.map((row) => row.id).sort((a, b) => a - b);
  for (let at = 0; at < shape.edges.length; at += 50_000) {
    const batch = shape.edges.slice(at, at + 50_000);
    await db.query(insertEdges, [batch.map((e) => ids[e[0]]), batch.map((e) => ids[e[1]])]);
  }
  const position = await append(db, ids);
  if (projected) await waitForProjection(db, position);
  await db.query("ANALYZE data_entity; ANALYZE lineage_edge; ANALYZE group_member");
  return ids;
}

async function append(db: Database, ids: number[]): Promise<number> {
  let position = 0;
  for (let at = 0; at < ids.length; at += 5_000) {
    const [row] = await db.query<{ position: number }>("SELECT lineage_append($1) AS position", [
      ids.slice(at, at + 5_000),
    ]);
    position = row!.position;
  }
  return position;
}

async function waitForProjection(db: Database, position: number): Promise<void> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const [status] = await db.query<{ position: number }>("SELECT position FROM projection_status");
    if (status && status.position >= position) return;
    if (Date.now() > deadline) throw new Error(`projection at ${status?.position} of ${position}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
