import type { FirstLevelRow, WalkRow } from "#graph/postgres/answer.ts";
import { statement } from "#metadata/postgres/statement.ts";

export interface AmongRow {
  head: number;
  whole: number;
  near: number[] | null;
  far: number[] | null;
}

/** Statements of the inline graph; the walks are functions of the database schema. */
export const walk = statement<WalkRow>("lineage_walk")`
  SELECT head, whole, complete, over, near, far, ids, against_ids, against, frontier,
    along_ids, along
  FROM lineage_walk($1, $2, $3, $4, $5 * interval '1 millisecond')`;

export const firstLevel = statement<FirstLevelRow>("lineage_first_level")`
  SELECT near, far, ids, parents_of, parents, children_of, children
  FROM lineage_first_level($1, $2, $3)`;

export const among = statement<AmongRow>("lineage_among")`
  SELECT head, whole, near, far FROM lineage_among($1, $2 * interval '1 millisecond')`;

export const neighbours = `
  SELECT DISTINCT t.far AS id FROM lineage_touching($1, $2) t WHERE t.far <> ALL ($1)`;

export const head = statement<{ head: number }>("lineage_head")`SELECT lineage_head() AS head`;
