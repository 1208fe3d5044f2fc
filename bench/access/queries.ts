import { statement } from "#metadata/postgres/statement.ts";

export const addEntity = statement<{ id: number }>("bench-access-entity")`
  INSERT INTO data_entity (catrn, type_id, class_ids, external_name)
  VALUES ('//bench/entity', 1, '{1}', 'entity')
  ON CONFLICT (catrn) DO UPDATE SET external_name = excluded.external_name RETURNING id`;

/** $1 documents, $2 user. */
export const addPolicies = statement("bench-access-policies")`
  WITH p AS (INSERT INTO policy (name, document)
         SELECT 'policy ' || n, document FROM unnest($1::text[]) WITH ORDINALITY AS d (document, n)
         RETURNING id),
       r AS (INSERT INTO role (name) VALUES ('role of the benchmark') RETURNING id),
       o AS (INSERT INTO owner (name) VALUES ('owner of the benchmark') RETURNING id),
       rp AS (INSERT INTO role_policy SELECT r.id, p.id FROM r, p),
       owr AS (INSERT INTO owner_role SELECT o.id, r.id FROM o, r)
  INSERT INTO user_owner (username, owner_id) SELECT $2, id FROM o`;
