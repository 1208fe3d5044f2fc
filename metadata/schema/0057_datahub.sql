-- What collectors of DataHub reported: the newest of each aspect of each entity, by its urn. Values are JSON as text,
-- since they may hold what jsonb cannot. Times are milliseconds since the epoch. `dirty` counts what was not mapped yet;
-- who maps a row claims it for a while.

CREATE TABLE dh_entity (
  key           text COLLATE "C" PRIMARY KEY,
  type          text NOT NULL,
  -- When an aspect of it was last observed; NULL: it is only named by others.
  last_seen     bigint,
  -- The CATRN under which others name it, how it was found, and when it was last looked for; of datasets.
  catrn         text COLLATE "C",
  match         text,
  resolved_at   bigint,
  dirty         bigint NOT NULL DEFAULT 1,
  due_at        bigint,
  claimed_until timestamptz(3),
  -- The CATRNs of what was posted of it.
  posted        text[] COLLATE "C" NOT NULL DEFAULT '{}',
  posted_hash   text,
  posted_at     bigint,
  received_at   bigint NOT NULL DEFAULT 0,
  updated_at    timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE INDEX dh_entity_dirty ON dh_entity (key) WHERE dirty > 0;
CREATE INDEX dh_entity_due ON dh_entity (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX dh_entity_unsure ON dh_entity (resolved_at) WHERE match IN ('loose', 'template');
CREATE INDEX dh_entity_type ON dh_entity (type, key);
CREATE INDEX dh_entity_unposted ON dh_entity (updated_at) WHERE posted = '{}';
CREATE INDEX dh_entity_posted ON dh_entity USING gin (posted) WHERE posted <> '{}';

CREATE TABLE dh_aspect (
  urn    text COLLATE "C" NOT NULL REFERENCES dh_entity ON DELETE CASCADE,
  aspect text COLLATE "C" NOT NULL,
  -- When its value was observed; NULL: only patches are known of it.
  at     bigint,
  value  text,
  -- Steps of patches beyond the value, as JSON; NULL: none.
  steps  text,
  PRIMARY KEY (urn, aspect)
) WITH (fillfactor = 80);

-- Entries of aspects that are a list of what happened, the newest of each.
CREATE TABLE dh_entry (
  urn    text COLLATE "C" NOT NULL REFERENCES dh_entity ON DELETE CASCADE,
  aspect text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  time   bigint NOT NULL,
  value  text NOT NULL,
  PRIMARY KEY (urn, aspect, id)
);
CREATE INDEX dh_entry_newest ON dh_entry (urn, aspect, time DESC, id);

-- Which aspect of an entity names which other one.
CREATE TABLE dh_reference (
  urn    text COLLATE "C" NOT NULL REFERENCES dh_entity ON DELETE CASCADE,
  aspect text COLLATE "C" NOT NULL,
  named  text COLLATE "C" NOT NULL,
  PRIMARY KEY (urn, aspect, named)
);
CREATE INDEX dh_reference_named ON dh_reference (named, aspect);

-- Entities and runs that DataHub no longer reports; deleted once their last batch is applied, unless posted again.
CREATE TABLE dh_leaving (
  catrn       text COLLATE "C" PRIMARY KEY,
  received_at bigint NOT NULL,
  -- The name under which it goes on.
  successor   text COLLATE "C",
  since       timestamptz(3) NOT NULL DEFAULT now()
);
