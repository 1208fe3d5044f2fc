-- Assets (data entities, terms, query examples) that people come back to. Whoever is not signed in has the
-- empty name, which all of them share.

CREATE TABLE favorite (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username   text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  entity_id  bigint REFERENCES data_entity,
  term_id    bigint REFERENCES term ON DELETE CASCADE,
  example_id bigint REFERENCES query_example ON DELETE CASCADE,
  added_at   timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(entity_id, term_id, example_id) = 1)
);
CREATE UNIQUE INDEX favorite_entity ON favorite (entity_id, username, provider)
  WHERE entity_id IS NOT NULL;
CREATE UNIQUE INDEX favorite_term ON favorite (term_id, username, provider)
  WHERE term_id IS NOT NULL;
CREATE UNIQUE INDEX favorite_example ON favorite (example_id, username, provider)
  WHERE example_id IS NOT NULL;
CREATE INDEX favorite_newest ON favorite (username, provider, added_at DESC, id DESC);

CREATE TABLE recently_viewed (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username       text COLLATE "C" NOT NULL,
  provider       text COLLATE "C" NOT NULL,
  entity_id      bigint REFERENCES data_entity,
  term_id        bigint REFERENCES term ON DELETE CASCADE,
  example_id     bigint REFERENCES query_example ON DELETE CASCADE,
  last_viewed_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(entity_id, term_id, example_id) = 1)
);
CREATE UNIQUE INDEX recently_viewed_entity ON recently_viewed (entity_id, username, provider)
  WHERE entity_id IS NOT NULL;
CREATE UNIQUE INDEX recently_viewed_term ON recently_viewed (term_id, username, provider)
  WHERE term_id IS NOT NULL;
CREATE UNIQUE INDEX recently_viewed_example ON recently_viewed (example_id, username, provider)
  WHERE example_id IS NOT NULL;
CREATE INDEX recently_viewed_newest
  ON recently_viewed (username, provider, last_viewed_at DESC, id DESC);
CREATE INDEX recently_viewed_expiry ON recently_viewed (last_viewed_at);

-- Whether an alert router has ever told of anything that is still kept.
CREATE INDEX alert_routed ON alert (id) WHERE fingerprint IS NOT NULL;
