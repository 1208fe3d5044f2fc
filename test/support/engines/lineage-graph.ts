import { expect } from "vitest";
import type { EdgePair, LineageGraph, WalkRequest } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";

/** A graph, the metadata it is of, and a way to bring it up to date. */
export interface GraphUnderTest {
  graph: LineageGraph;
  db: Database;
  /** Returns when the graph holds all that the metadata holds. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Inserts `count` entities and edges between them by index from 0; returns their ids. */
export function seedShape(
  db: Database,
  count: number,
  edges: [parent: number, child: number][],
): Promise<number[]> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ id: number }>(
      `INSERT INTO data_entity (catrn, hollow)
       SELECT $1 || n, true FROM generate_series(1, $2::int) n RETURNING id`,
      [`//shape/${crypto.randomUUID()}/`, count],
    );
    const ids = rows.map((row) => row.id).sort((a, b) => a - b);
    await tx.query(
      `INSERT INTO lineage_edge (establisher_id, parent_id, child_id)
       SELECT c, p, c FROM unnest($1::bigint[], $2::bigint[]) u (p, c)`,
      [edges.map((e) => ids[e[0]]), edges.map((e) => ids[e[1]])],
    );
    await tx.query("SELECT lineage_append($1)", [ids]);
    return ids;
  });
}

/** A request with generous budgets, downstream, unless told. */
export function ask(roots: number[], more: Partial<WalkRequest> = {}): WalkRequest {
  return { roots, direction: "downstream", depth: 1, maxNodes: 20_000, timeoutMs: 10_000, ...more };
}

/** `parent>child` by name or number, sorted. */
export function spelled(edges: readonly EdgePair[], ids?: Map<string, number>): string[] {
  const names = new Map([...ids ?? []].map(([name, id]) => [id, name]));
  return edges.map(([p, c]) => `${names.get(p) ?? p}>${names.get(c) ?? c}`).sort();
}

/** Fails when `work` takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  expect(performance.now() - started).toBeLessThan(ms);
  return result;
}

/** A chain of `levels` diamonds: 3 × levels + 1 entities, 4 × levels edges, 2^levels ways. */
export function diamonds(levels: number): { count: number; edges: [number, number][] } {
  const edges = Array.from({ length: levels }, (_, i): [number, number][] => {
    const top = 3 * i;
    return [[top, top + 1], [top, top + 2], [top + 1, top + 3], [top + 2, top + 3]];
  });
  return { count: 3 * levels + 1, edges: edges.flat() };
}
