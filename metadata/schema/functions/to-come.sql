-- Members of answers whose features are still to come: each is made here and nowhere else, so that the
-- feature changes one place. They cost nothing, since the planner inlines them.

-- DataEntity.lookup_table_id: the lookup table that a dataset is.
CREATE OR REPLACE FUNCTION lookup_table_of(entity bigint) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT NULL::bigint';

-- DataSetField.lookup_table_definition_id: the column of a lookup table that a field is.
CREATE OR REPLACE FUNCTION lookup_table_definition_of(field bigint) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT NULL::bigint';
