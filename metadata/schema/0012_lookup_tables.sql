-- Lookup tables: reference data that people keep in the catalogue. Their rows lie in tables of their own, in
-- the schema tributary_lookup or in another database, under the physical names that stand here.

-- Whether a table is there, is told by its entity: a deleted one comes back with it.
CREATE TABLE lookup_table (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id     bigint NOT NULL UNIQUE REFERENCES data_entity,
  namespace_id  bigint NOT NULL REFERENCES namespace,
  name          text NOT NULL,
  normalised    text COLLATE "C" NOT NULL, -- no two tables that are there have the same in one namespace
  description   text,
  physical_name text COLLATE "C" NOT NULL UNIQUE,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  updated_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX lookup_table_named ON lookup_table (namespace_id, normalised);

-- field_id: the row of the newest structure version; it changes with what that version shows.
CREATE TABLE lookup_column (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_id       bigint NOT NULL REFERENCES lookup_table ON DELETE CASCADE,
  field_id       bigint UNIQUE REFERENCES dataset_field,
  name           text NOT NULL,
  normalised     text COLLATE "C" NOT NULL,
  physical_name  text COLLATE "C" NOT NULL,
  description    text,
  type           text NOT NULL CHECK (type IN
    ('VARCHAR', 'INTEGER', 'SERIAL', 'DECIMAL', 'BOOLEAN', 'DATE', 'TIME', 'JSON', 'UUID')),
  is_primary_key boolean NOT NULL DEFAULT false,
  is_nullable    boolean NOT NULL,
  is_unique      boolean NOT NULL,
  default_value  text,
  UNIQUE (table_id, normalised),
  UNIQUE (table_id, physical_name)
);

CREATE TABLE lookup_document (
  table_id bigint PRIMARY KEY REFERENCES lookup_table ON DELETE CASCADE,
  vector   tsvector NOT NULL
);
CREATE INDEX lookup_document_vector ON lookup_document USING gin (vector);
