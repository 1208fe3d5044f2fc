-- Lineage between columns: which exist, edges as declared, and their history.

-- A column that lineage names, whether or not a schema knows it. `path` is spelled as it was first;
-- `folded` is its identity, search_lower(path), which folds letter case. Ids stay below 2^51: the numbers
-- above are nodes of other kinds, see functions/columns.sql. No foreign key: whoever names a column holds
-- the row of its dataset, and columns go with the last edge that names them, be it in the history.
CREATE TABLE dataset_column (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dataset_id bigint NOT NULL,
  path       text NOT NULL,
  folded     text COLLATE "C" NOT NULL CHECK (octet_length(folded) BETWEEN 1 AND 2000),
  UNIQUE (dataset_id, folded)
);

-- Ends are nodes: columns or whole datasets. `kind`: 0 DIRECT, the value comes from there; 1 INDIRECT, it
-- only has a say (a filter, a join, an order). `origin`: 0 declared, 1 read from SQL. `live` says that
-- neither dataset nor the establisher is deleted; walks see live rows alone, by the first two indexes.
-- For the others, and for why ends have no references, see lineage_edge.
CREATE TABLE column_edge (
  establisher_id bigint NOT NULL,
  source_id      bigint NOT NULL,
  target_id      bigint NOT NULL,
  kind           smallint NOT NULL CHECK (kind IN (0, 1)),
  origin         smallint NOT NULL DEFAULT 0 CHECK (origin IN (0, 1)),
  live           boolean NOT NULL DEFAULT true,
  masking        boolean,
  source_dataset bigint NOT NULL,
  target_dataset bigint NOT NULL,
  since          timestamptz(3) NOT NULL DEFAULT now(),
  subtype        text,
  description    text,
  PRIMARY KEY (establisher_id, source_id, target_id, kind)
);
CREATE INDEX column_edge_out ON column_edge (source_id, target_id) INCLUDE (kind) WHERE live;
CREATE INDEX column_edge_in ON column_edge (target_id, source_id) INCLUDE (kind) WHERE live;
CREATE INDEX column_edge_dead_out ON column_edge (source_id) WHERE NOT live AND source_id > 0;
CREATE INDEX column_edge_dead_in ON column_edge (target_id) WHERE NOT live AND target_id > 0;

-- What was declared once, with its half-open interval in catalogue time; see lineage_edge_history.
CREATE TABLE column_edge_history (
  establisher_id bigint NOT NULL,
  source_id      bigint NOT NULL,
  target_id      bigint NOT NULL,
  kind           smallint NOT NULL,
  origin         smallint NOT NULL,
  masking        boolean,
  source_dataset bigint NOT NULL,
  target_dataset bigint NOT NULL,
  since          timestamptz(3) NOT NULL,
  until          timestamptz(3) NOT NULL,
  subtype        text,
  description    text
);
CREATE INDEX column_edge_history_until ON column_edge_history (until);
CREATE INDEX column_edge_history_out ON column_edge_history (source_id, until)
  INCLUDE (since, target_id, kind);
CREATE INDEX column_edge_history_in ON column_edge_history (target_id, until)
  INCLUDE (since, source_id, kind);
