-- The catalogue: who sends, what exists, how it is built, how it is grouped.
-- Names compared bytewise use COLLATE "C". All times are kept in milliseconds.

CREATE TABLE namespace (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE token (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  value      text COLLATE "C" NOT NULL UNIQUE,
  created_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_by text,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE collector (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name         text COLLATE "C" NOT NULL UNIQUE,
  description  text,
  namespace_id bigint REFERENCES namespace,
  token_id     bigint NOT NULL REFERENCES token,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX collector_namespace ON collector (namespace_id);

CREATE TABLE data_source (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  catrn        text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(catrn) BETWEEN 1 AND 1000),
  name         text NOT NULL,
  description  text,
  namespace_id bigint REFERENCES namespace,
  collector_id bigint REFERENCES collector,
  token_id     bigint REFERENCES token, -- null: authorised by its collector's token
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX data_source_namespace ON data_source (namespace_id);
CREATE INDEX data_source_collector ON data_source (collector_id);

-- Statuses: 1 UNASSIGNED, 2 DRAFT, 3 STABLE, 4 DEPRECATED, 5 DELETED (contract/entities.ts).
-- Every unchanged batch moves last_ingested_at, so the row keeps room for updates in place, and no
-- index holds that column.
CREATE TABLE data_entity (
  id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  catrn                text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(catrn) BETWEEN 1 AND 1000),
  data_source_id       bigint REFERENCES data_source,
  namespace_id         bigint REFERENCES namespace,   -- of a group made by hand; others have their source's
  type_id              smallint,                      -- null while hollow
  class_ids            smallint[] NOT NULL DEFAULT '{}',
  external_name        text,
  internal_name        text,
  external_description text,
  internal_description text,
  hollow               boolean NOT NULL DEFAULT false,
  excluded_from_search boolean NOT NULL DEFAULT false,
  manually_created     boolean NOT NULL DEFAULT false,
  status               smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 5),
  status_updated_at    timestamptz(3),
  status_switch_at     timestamptz(3),
  source_created_at    timestamptz(3),
  source_updated_at    timestamptz(3),
  created_at           timestamptz(3) NOT NULL DEFAULT now(),
  updated_at           timestamptz(3) NOT NULL DEFAULT now(),
  last_ingested_at     timestamptz(3),
  received_at          timestamptz(3),                -- with batch: the batch that this row holds
  batch                text COLLATE "C",
  content_hash         bytea,
  attributes           jsonb NOT NULL DEFAULT '{}',   -- the class parts as posted, without field lists
  view_count           bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX data_entity_source ON data_entity (data_source_id, type_id);
CREATE INDEX data_entity_type ON data_entity (type_id) WHERE NOT hollow;
CREATE INDEX data_entity_classes ON data_entity USING gin (class_ids);
CREATE INDEX data_entity_switch ON data_entity (status_switch_at) WHERE status_switch_at IS NOT NULL;
CREATE INDEX data_entity_deleted ON data_entity (status_updated_at) WHERE status = 5;
CREATE INDEX data_entity_popular ON data_entity (view_count DESC, id) WHERE NOT hollow;
CREATE INDEX data_entity_hand_namespace ON data_entity (namespace_id) WHERE namespace_id IS NOT NULL;

-- origin: LIST (the group's entities_list), PARENT (the member's group_catrn), MANUAL (by hand).
CREATE TABLE group_member (
  group_id  bigint NOT NULL REFERENCES data_entity,
  member_id bigint NOT NULL REFERENCES data_entity,
  origin    text NOT NULL CHECK (origin IN ('LIST', 'PARENT', 'MANUAL')),
  PRIMARY KEY (group_id, member_id, origin)
);
CREATE INDEX group_member_member ON group_member (member_id, group_id);

CREATE TABLE tag (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name      text COLLATE "C" NOT NULL UNIQUE,
  important boolean NOT NULL DEFAULT false
);
CREATE TABLE entity_tag (
  entity_id bigint NOT NULL REFERENCES data_entity,
  tag_id    bigint NOT NULL REFERENCES tag,
  origin    text NOT NULL CHECK (origin IN ('INTERNAL', 'EXTERNAL')),
  PRIMARY KEY (entity_id, tag_id, origin)
);
CREATE INDEX entity_tag_tag ON entity_tag (tag_id);

CREATE TABLE metadata_field (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name   text COLLATE "C" NOT NULL,
  type   text NOT NULL CHECK (type IN ('INTEGER','STRING','DATETIME','FLOAT','BOOLEAN','ARRAY','JSON')),
  origin text NOT NULL CHECK (origin IN ('EXTERNAL', 'INTERNAL')),
  UNIQUE (name, type, origin)
);
CREATE TABLE metadata_value (
  entity_id bigint NOT NULL REFERENCES data_entity,
  field_id  bigint NOT NULL REFERENCES metadata_field,
  value     text NOT NULL,
  PRIMARY KEY (entity_id, field_id)
);
CREATE INDEX metadata_value_field ON metadata_value (field_id);

-- Structure of datasets. A field row serves every version in which its hash is unchanged.
CREATE TABLE dataset_version (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dataset_id bigint NOT NULL REFERENCES data_entity,
  version    integer NOT NULL,
  hash       text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (dataset_id, version)
);
CREATE TABLE dataset_field (
  id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  dataset_id           bigint NOT NULL REFERENCES data_entity,
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
CREATE INDEX dataset_field_catrn ON dataset_field (catrn);
CREATE INDEX dataset_field_dataset ON dataset_field (dataset_id, catrn);
CREATE TABLE dataset_version_field (
  version_id bigint NOT NULL REFERENCES dataset_version,
  field_id   bigint NOT NULL REFERENCES dataset_field,
  ordinal    integer NOT NULL,
  PRIMARY KEY (version_id, field_id)
);
CREATE INDEX dataset_version_field_field ON dataset_version_field (field_id);
CREATE TABLE field_tag (
  field_id bigint NOT NULL REFERENCES dataset_field,
  tag_id   bigint NOT NULL REFERENCES tag,
  origin   text NOT NULL CHECK (origin IN ('INTERNAL', 'EXTERNAL', 'EXTERNAL_STATISTICS')),
  PRIMARY KEY (field_id, tag_id, origin)
);
CREATE INDEX field_tag_tag ON field_tag (tag_id);
CREATE TABLE field_metadata_value (
  field_id          bigint NOT NULL REFERENCES dataset_field,
  metadata_field_id bigint NOT NULL REFERENCES metadata_field,
  value             text NOT NULL,
  PRIMARY KEY (field_id, metadata_field_id)
);
CREATE INDEX field_metadata_value_field ON field_metadata_value (metadata_field_id);
CREATE TABLE enum_value (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  field_id    bigint NOT NULL REFERENCES dataset_field,
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

-- People: `my` reads, ownership facets and highlights rest on these.
CREATE TABLE owner (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE TABLE title (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE ownership (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id bigint NOT NULL REFERENCES data_entity,
  owner_id  bigint NOT NULL REFERENCES owner,
  title_id  bigint REFERENCES title,
  UNIQUE (entity_id, owner_id)
);
CREATE INDEX ownership_owner ON ownership (owner_id);
CREATE TABLE user_owner (
  username text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL DEFAULT '',
  owner_id bigint NOT NULL REFERENCES owner,
  PRIMARY KEY (username, provider)
);
CREATE INDEX user_owner_owner ON user_owner (owner_id);

-- Alerts; codes in reference order: types 1-4, statuses 1 OPEN, 2 RESOLVED, 3 RESOLVED_AUTOMATICALLY.
CREATE TABLE alert (
  id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id         bigint REFERENCES data_entity,
  messenger_id      bigint REFERENCES data_entity,
  type              smallint NOT NULL CHECK (type BETWEEN 1 AND 4),
  status            smallint NOT NULL CHECK (status BETWEEN 1 AND 3),
  status_updated_by text,
  status_updated_at timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  last_created_at   timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX alert_open ON alert (entity_id) WHERE status = 1;

CREATE TABLE search_document (
  entity_id bigint PRIMARY KEY REFERENCES data_entity,
  vector    tsvector NOT NULL
);
CREATE INDEX search_document_vector ON search_document USING gin (vector) WITH (fastupdate = off);
CREATE TABLE search_session (
  id            uuid PRIMARY KEY,
  family        text NOT NULL,
  state         jsonb NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  last_accessed timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX search_session_access ON search_session (last_accessed);
