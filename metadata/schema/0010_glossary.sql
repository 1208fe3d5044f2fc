-- The glossary: terms, what they are linked with, who owns them, and by what they are found.

CREATE TABLE term (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id bigint NOT NULL REFERENCES namespace,
  name         text COLLATE "C" NOT NULL,
  definition   text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (namespace_id, name)
);
CREATE INDEX term_updated ON term (updated_at, id);

-- Links made by hand. What a description mentions is a link too; see the views of functions/glossary.sql.
CREATE TABLE entity_term (
  entity_id bigint NOT NULL REFERENCES data_entity,
  term_id   bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  PRIMARY KEY (entity_id, term_id)
);
CREATE INDEX entity_term_term ON entity_term (term_id);

-- Batches copy these to the new row of a field that changed.
CREATE TABLE field_term (
  field_id bigint NOT NULL,
  term_id  bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  PRIMARY KEY (field_id, term_id)
);
CREATE INDEX field_term_term ON field_term (term_id);

-- A link between two terms, seen from both; the one with the smaller id stands first.
CREATE TABLE term_link (
  term_id  bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  other_id bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  PRIMARY KEY (term_id, other_id),
  CHECK (term_id < other_id)
);
CREATE INDEX term_link_other ON term_link (other_id);

-- What a description, or the definition of a term, mentions as [[namespace:term]]. Mentions are kept by
-- name, so that they mean whatever term has that name at the time, and a term yet to come.
CREATE TABLE entity_mention (
  entity_id bigint NOT NULL REFERENCES data_entity,
  namespace text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  PRIMARY KEY (entity_id, namespace, name)
);
CREATE INDEX entity_mention_named ON entity_mention (namespace, name);

-- Batches copy these as well.
CREATE TABLE field_mention (
  field_id  bigint NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  PRIMARY KEY (field_id, namespace, name)
);
CREATE INDEX field_mention_named ON field_mention (namespace, name);

CREATE TABLE term_mention (
  term_id   bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  namespace text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  PRIMARY KEY (term_id, namespace, name)
);
CREATE INDEX term_mention_named ON term_mention (namespace, name);

CREATE TABLE term_ownership (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  term_id  bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  owner_id bigint NOT NULL REFERENCES owner,
  title_id bigint REFERENCES title,
  UNIQUE (term_id, owner_id)
);
CREATE INDEX term_ownership_owner ON term_ownership (owner_id);
CREATE INDEX term_ownership_title ON term_ownership (title_id) WHERE title_id IS NOT NULL;

CREATE TABLE term_tag (
  term_id bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  tag_id  bigint NOT NULL REFERENCES tag ON DELETE CASCADE,
  PRIMARY KEY (term_id, tag_id)
);
CREATE INDEX term_tag_tag ON term_tag (tag_id);

CREATE TABLE term_document (
  term_id bigint PRIMARY KEY REFERENCES term ON DELETE CASCADE,
  vector  tsvector NOT NULL
);
CREATE INDEX term_document_vector ON term_document USING gin (vector);

-- Documents of other things than entities follow a rename, too: a row for each kind of documents that show
-- the name. Kinds are the tables whose trigger queues.
ALTER TABLE search_refresh_queue
  DROP CONSTRAINT search_refresh_queue_kind_check,
  DROP CONSTRAINT search_refresh_queue_kind_subject_id_key,
  ADD COLUMN document text NOT NULL DEFAULT 'entity',
  ADD UNIQUE (kind, subject_id, document);
ALTER TABLE search_document_queue RENAME COLUMN entity_ids TO ids;
ALTER TABLE search_document_queue ADD COLUMN document text NOT NULL DEFAULT 'entity';
