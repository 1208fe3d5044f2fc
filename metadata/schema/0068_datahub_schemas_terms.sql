-- Avro schemas that Kafka sinks of DataHub registered here: records of their topic name them by id.

CREATE TABLE dh_schema (
  id         int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash       text COLLATE "C" NOT NULL UNIQUE,
  text       text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Which glossary term of DataHub is linked with which entity; `urn` is the term itself for a term that is only defined.
-- `due_at`: when the catalogue is made to agree, NULL: it does. `entity_id` and `term_id`: the link that was made for it,
-- NULL where people had made it before. `defined`: the definition that was given to the term, which people may change.
CREATE TABLE dh_term_link (
  urn        text COLLATE "C" NOT NULL REFERENCES dh_entity ON DELETE CASCADE,
  term       text COLLATE "C" NOT NULL,
  catrn      text COLLATE "C",
  namespace  text NOT NULL,
  name       text NOT NULL,
  definition text NOT NULL,
  wanted     boolean NOT NULL,
  entity_id  bigint,
  term_id    bigint,
  defined    text,
  due_at     timestamptz(3),
  PRIMARY KEY (urn, term)
);
CREATE INDEX dh_term_link_due ON dh_term_link (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX dh_term_link_made ON dh_term_link (entity_id, term_id) WHERE entity_id IS NOT NULL;
