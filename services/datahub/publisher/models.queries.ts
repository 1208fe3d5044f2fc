import { statement } from "#metadata/postgres/statement.ts";

/** How many datasets that may be the table of one model are looked at. */
const maxTables = 20;

/** $1 urns of models: the datasets that name one of them as what they are copied from, or as their sibling. */
export const candidateTables = statement<{ model: string; urn: string }>("dh-candidate-tables")`
  SELECT m.key AS model, r.urn FROM unnest($1::text[]) AS m (key) CROSS JOIN LATERAL (
    SELECT DISTINCT urn FROM dh_reference
     WHERE named = m.key AND aspect IN ('upstreamLineage', 'siblings')
     ORDER BY urn LIMIT ${maxTables}) r`;

/** $1 urns of datasets: the models that name one of them as their sibling. */
export const siblingModels = statement<{ model: string }>("dh-sibling-models")`
  SELECT DISTINCT urn AS model FROM dh_reference WHERE named = ANY($1::text[]) AND aspect = 'siblings'`;
