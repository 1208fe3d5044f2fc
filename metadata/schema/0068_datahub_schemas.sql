-- Avro schemas that Kafka sinks of DataHub registered here: records of their topic name them by id.

CREATE TABLE dh_schema (
  id         int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash       text COLLATE "C" NOT NULL UNIQUE,
  text       text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
