-- The catalogue: who sends, what exists, how it is grouped, tagged and described.
-- Names compared bytewise use COLLATE "C". All times are kept in milliseconds.

-- Names of codes; equal to contract/entities.ts, which a test holds.
CREATE TABLE entity_class (
  id   smallint PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO entity_class VALUES
  (1, 'DATA_SET'), (2, 'DATA_TRANSFORMER'), (3, 'DATA_TRANSFORMER_RUN'), (4, 'DATA_QUALITY_TEST'),
  (5, 'DATA_QUALITY_TEST_RUN'), (6, 'DATA_CONSUMER'), (7, 'DATA_INPUT'), (8, 'DATA_ENTITY_GROUP'),
  (9, 'DATA_RELATIONSHIP');

CREATE TABLE entity_type (
  id        smallint PRIMARY KEY,
  name      text NOT NULL UNIQUE,
  class_ids smallint[] NOT NULL
);
INSERT INTO entity_type VALUES
  (1, 'TABLE', '{1}'), (2, 'FILE', '{1}'), (3, 'FEATURE_GROUP', '{1}'), (4, 'KAFKA_TOPIC', '{1}'),
  (5, 'JOB', '{2,4}'), (6, 'ML_EXPERIMENT', '{8}'), (7, 'ML_MODEL_TRAINING', '{2}'),
  (8, 'ML_MODEL_INSTANCE', '{2}'), (9, 'DASHBOARD', '{6}'), (10, 'ML_MODEL_ARTIFACT', '{6}'),
  (11, 'VIEW', '{1,2}'), (12, 'JOB_RUN', '{3,5}'), (13, 'MICROSERVICE', '{2}'),
  (16, 'API_CALL', '{7}'), (17, 'DAG', '{8}'), (18, 'GRAPH_NODE', '{1}'),
  (19, 'DATABASE_SERVICE', '{8}'), (20, 'API_SERVICE', '{8}'), (21, 'KAFKA_SERVICE', '{8}'),
  (22, 'DOMAIN', '{8}'), (23, 'VECTOR_STORE', '{1}'), (24, 'LOOKUP_TABLE', '{1}'),
  (25, 'ENTITY_RELATIONSHIP', '{9}'), (26, 'GRAPH_RELATIONSHIP', '{9}'), (27, 'ML_MODEL', '{8}');

CREATE TABLE namespace (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Of a token only what recognises it is kept: its SHA-256, and for people its last four characters. It
-- is looked up by that digest, so that the time of the look-up tells nothing of its letters.
CREATE TABLE token (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Of whoever did it: the name, and the identity provider that knows it.
  created_by text,
  created_by_provider text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_by text,
  updated_by_provider text NOT NULL DEFAULT '',
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  digest     bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  hint       text COLLATE "C" NOT NULL CHECK (char_length(hint) <= 4)
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

-- Lists and counts of what lists show, in order of id.
CREATE INDEX data_entity_listed ON data_entity (id)
  WHERE NOT hollow AND NOT excluded_from_search AND status <> 5;
CREATE INDEX data_entity_hollow ON data_entity (id) WHERE hollow;

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

-- References of tables that every batch fills are no foreign keys, which look up one row after the
-- other: they are listed in functions/statement-references.sql and looked up once a statement.
CREATE TABLE entity_tag (
  entity_id bigint NOT NULL,
  tag_id    bigint NOT NULL,
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
  entity_id bigint NOT NULL,
  field_id  bigint NOT NULL,
  value     text NOT NULL,
  PRIMARY KEY (entity_id, field_id)
);
CREATE INDEX metadata_value_field ON metadata_value (field_id);
