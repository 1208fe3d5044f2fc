-- What keeps several processes in step: effects already applied, leases, what people did, searches.

-- outcome: 'applied' or 'refused'. A key that was applied has no second effect.
CREATE TABLE applied_batch (
  batch      text COLLATE "C" NOT NULL,
  part       integer NOT NULL,
  outcome    text NOT NULL CHECK (outcome IN ('applied', 'refused')),
  position   bigint NOT NULL,       -- outbox position drawn, or the current one when nothing moved
  detail     jsonb,                 -- of a refusal: {status, reason, message, details[]}
  applied_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (batch, part)
);
CREATE INDEX applied_batch_applied ON applied_batch (applied_at);

CREATE TABLE lease (
  name       text PRIMARY KEY,
  holder     text NOT NULL,
  epoch      bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Activity, by time: one partition a period, made ahead by activity_partition().
CREATE TABLE activity (
  id           bigint GENERATED ALWAYS AS IDENTITY,
  event_type   text NOT NULL,
  entity_id    bigint,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  created_by   text,
  created_by_provider text NOT NULL DEFAULT '',
  old_state    jsonb NOT NULL,
  new_state    jsonb NOT NULL,
  system_event boolean NOT NULL,
  PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX activity_entity ON activity (entity_id, created_at DESC, id DESC);

-- Who acted: the distinct names are found by leaping from one to the next.
CREATE INDEX activity_actor ON activity (created_by, created_at DESC, id DESC)
  WHERE created_by IS NOT NULL;

-- Rows of a time for which no partition was made yet.
CREATE TABLE activity_other PARTITION OF activity DEFAULT;

CREATE TABLE search_document (
  entity_id bigint PRIMARY KEY,
  vector    tsvector NOT NULL,
  -- Bytes of text that had no room in the vector.
  cut_bytes integer NOT NULL DEFAULT 0
);
CREATE INDEX search_document_cut ON search_document (entity_id) WHERE cut_bytes > 0;
-- New words wait in a list that every search reads too, so nothing is found late; beyond 1 MB they are
-- sorted in together, which costs a fraction of one after the other.
CREATE INDEX search_document_vector ON search_document USING gin (vector)
  WITH (fastupdate = on, gin_pending_list_limit = 1024);

CREATE TABLE search_session (
  id            uuid PRIMARY KEY,
  family        text NOT NULL,
  state         jsonb NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  last_accessed timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX search_session_access ON search_session (last_accessed);

-- Renames whose entities wait for new search documents. One row for each renamed thing; `after_id` is
-- how far its entities were refreshed, in order of id.
CREATE TABLE search_refresh_queue (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('namespace', 'data_source', 'tag', 'owner', 'title')),
  subject_id bigint NOT NULL,
  after_id   bigint NOT NULL DEFAULT 0,
  queued_at  timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (kind, subject_id)
);

-- Entities that wait for new search documents, since a change was about too many to refresh them itself.
CREATE TABLE search_document_queue (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_ids bigint[] NOT NULL,
  queued_at  timestamptz(3) NOT NULL DEFAULT now()
);
