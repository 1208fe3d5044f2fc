import { statement } from "#metadata/postgres/statement.ts";

/** $1 batch, $2 part: the log position of the record whose refusal is stored. */
export const refusedOrigin = statement("ingest-refused-origin")`
  SELECT detail -> 'origin' AS origin FROM applied_batch
    WHERE batch = $1 AND part = $2 AND outcome = 'refused'`;

/** $1 batch, $2 part, $3 detail: stores it, wakes waiting requests. An applied part stays applied. */
export const refuse = statement("ingest-refuse")`
  INSERT INTO applied_batch AS a (batch, part, outcome, position, detail)
   VALUES ($1, $2, 'refused', lineage_head(), $3::jsonb)
   ON CONFLICT (batch, part) DO UPDATE SET detail = excluded.detail, applied_at = now()
     WHERE a.outcome = 'refused'
   RETURNING pg_notify('applied_batch', a.batch)`;
