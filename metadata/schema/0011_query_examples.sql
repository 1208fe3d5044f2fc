-- Queries that people keep, and what they are about.

CREATE TABLE query_example (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  definition text NOT NULL, -- what it is for
  query      text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE entity_query_example (
  entity_id  bigint NOT NULL REFERENCES data_entity,
  example_id bigint NOT NULL REFERENCES query_example ON DELETE CASCADE,
  PRIMARY KEY (entity_id, example_id)
);
CREATE INDEX entity_query_example_example ON entity_query_example (example_id);

CREATE TABLE term_query_example (
  term_id    bigint NOT NULL REFERENCES term ON DELETE CASCADE,
  example_id bigint NOT NULL REFERENCES query_example ON DELETE CASCADE,
  PRIMARY KEY (term_id, example_id)
);
CREATE INDEX term_query_example_example ON term_query_example (example_id);

CREATE TABLE query_example_document (
  example_id bigint PRIMARY KEY REFERENCES query_example ON DELETE CASCADE,
  vector     tsvector NOT NULL
);
CREATE INDEX query_example_document_vector ON query_example_document USING gin (vector);
