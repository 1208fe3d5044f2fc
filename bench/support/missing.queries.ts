// Each CATRN is looked up by itself: reading all of a table, again and again, would take from what is measured.
/** $1 CATRNs: the place of the first that `found`, FROM and WHERE, does not find. */
export const firstMissing = (found: string) => `
  SELECT w.at::int AS at FROM unnest($1::text[]) WITH ORDINALITY AS w (catrn, at)
    LEFT JOIN LATERAL (SELECT true AS there FROM ${found} OFFSET 0) f ON true
   WHERE f.there IS NULL ORDER BY w.at LIMIT 1`;

/** $1 CATRNs: the place of the first that is no entity yet. */
export const firstEntityMissing = firstMissing(
  "data_entity e WHERE e.catrn = w.catrn AND NOT e.hollow",
);
