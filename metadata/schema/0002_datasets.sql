-- What is known of datasets and tasks: structure, tests, runs, relationships, metrics.

-- Structure of datasets. A field row serves every version in which its hash is unchanged; a version
-- names its fields in order, as one array: a row for each would be written for every field of a batch.
-- The view dataset_version_field has them as rows.
CREATE TABLE dataset_version (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dataset_id bigint NOT NULL,
  version    integer NOT NULL,
  hash       text NOT NULL,
  field_ids  bigint[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (dataset_id, version)
);

CREATE TABLE dataset_field (
  id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dataset_id           bigint NOT NULL,
  catrn                text COLLATE "C" NOT NULL,
  name                 text NOT NULL,
  internal_name        text,
  external_description text,
  internal_description text,
  parent_catrn         text COLLATE "C",
  reference_catrn      text COLLATE "C",
  type                 text NOT NULL,
  logical_type         text,
  is_nullable          boolean NOT NULL,
  is_key               boolean,
  is_value             boolean,
  is_primary_key       boolean,
  is_sort_key          boolean,
  default_value        text,
  hash                 bytea NOT NULL,
  stats                jsonb,
  created_at           timestamptz(3) NOT NULL DEFAULT now()
);
-- Fields are looked up within their dataset. An index of CATRNs would be the largest of all.
CREATE INDEX dataset_field_dataset ON dataset_field (dataset_id);

CREATE TABLE field_tag (
  field_id bigint NOT NULL,
  tag_id   bigint NOT NULL,
  origin   text NOT NULL CHECK (origin IN ('INTERNAL', 'EXTERNAL', 'EXTERNAL_STATISTICS')),
  PRIMARY KEY (field_id, tag_id, origin)
);
CREATE INDEX field_tag_tag ON field_tag (tag_id);

CREATE TABLE field_metadata_value (
  field_id          bigint NOT NULL,
  metadata_field_id bigint NOT NULL,
  value             text NOT NULL,
  PRIMARY KEY (field_id, metadata_field_id)
);
CREATE INDEX field_metadata_value_field ON field_metadata_value (metadata_field_id);

CREATE TABLE enum_value (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  field_id    bigint NOT NULL,
  name        text NOT NULL,
  description text,
  origin      text NOT NULL CHECK (origin IN ('EXTERNAL', 'INTERNAL')),
  UNIQUE (field_id, name, origin)
);

-- Tests name datasets; runs belong to a task (transformer or test). Both may be hollow.
CREATE TABLE test_dataset (
  test_id    bigint NOT NULL REFERENCES data_entity,
  dataset_id bigint NOT NULL REFERENCES data_entity,
  PRIMARY KEY (test_id, dataset_id)
);
CREATE INDEX test_dataset_dataset ON test_dataset (dataset_id);

CREATE TABLE task_run (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  catrn         text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(catrn) BETWEEN 1 AND 1000),
  task_id       bigint NOT NULL REFERENCES data_entity,
  kind          text NOT NULL CHECK (kind IN ('TRANSFORMER', 'TEST')),
  name          text NOT NULL,
  start_time    timestamptz(3) NOT NULL,
  end_time      timestamptz(3),
  status        text NOT NULL,
  status_reason text,
  received_at   timestamptz(3) NOT NULL,
  batch         text COLLATE "C" NOT NULL,
  content_hash  bytea,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  updated_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX task_run_task ON task_run (task_id, (coalesce(end_time, start_time)) DESC, catrn DESC);

-- The row's own id is drawn from the entities' sequence, so it never equals the id of an entity.
CREATE TABLE relationship (
  id             bigint PRIMARY KEY DEFAULT nextval(pg_get_serial_sequence('data_entity', 'id')),
  entity_id      bigint NOT NULL UNIQUE REFERENCES data_entity,
  kind           text NOT NULL CHECK (kind IN ('ERD', 'GRAPH')),
  source_id      bigint NOT NULL REFERENCES data_entity,
  target_id      bigint NOT NULL REFERENCES data_entity,
  is_identifying boolean,
  cardinality    text,
  is_directed    boolean,
  attributes     jsonb
);
CREATE INDEX relationship_source ON relationship (source_id);
CREATE INDEX relationship_target ON relationship (target_id);

CREATE TABLE relationship_field_pair (
  relationship_id bigint NOT NULL REFERENCES relationship ON DELETE CASCADE,
  ordinal         integer NOT NULL,
  source_catrn    text COLLATE "C" NOT NULL,
  target_catrn    text COLLATE "C" NOT NULL,
  PRIMARY KEY (relationship_id, ordinal)
);

-- Metrics: the latest point of each series of an entity or of a dataset field, named by CATRN.
CREATE TABLE metric_family (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text COLLATE "C" NOT NULL,
  type        text NOT NULL,
  unit        text NOT NULL,
  description text,
  UNIQUE (name, type, unit)
);

CREATE TABLE metric_series (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  family_id   bigint NOT NULL REFERENCES metric_family,
  catrn       text COLLATE "C" NOT NULL,
  labels      jsonb NOT NULL,
  labels_hash bytea NOT NULL,
  point       jsonb NOT NULL,
  point_time  timestamptz(3) NOT NULL,
  UNIQUE (catrn, family_id, labels_hash)
);
