-- Who may do what: policies, roles, who stands for which owner, tokens of people, sessions, and what is
-- kept of all that for auditors.

-- A policy document (JSON text, as given) grants permissions; nothing takes one away.
CREATE TABLE policy (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  document   text NOT NULL,
  -- One more with each change of the document, for replicas that keep it compiled.
  revision   integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
-- Times of what comes with a release are the same everywhere.
INSERT INTO policy (created_at, updated_at, name, document)
VALUES ('2026-01-01Z', '2026-01-01Z', 'Administrator',
  '{"statements":[{"resource":{"type":"DATA_ENTITY"},"permissions":["ALL"]},'
  '{"resource":{"type":"TERM"},"permissions":["ALL"]},'
  '{"resource":{"type":"QUERY_EXAMPLE"},"permissions":["ALL"]},'
  '{"resource":{"type":"MANAGEMENT"},"permissions":["ALL"]}]}');

CREATE TABLE role (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO role (created_at, updated_at, name)
VALUES ('2026-01-01Z', '2026-01-01Z', 'Administrator'), ('2026-01-01Z', '2026-01-01Z', 'User');

CREATE TABLE role_policy (
  role_id   bigint NOT NULL REFERENCES role ON DELETE CASCADE,
  policy_id bigint NOT NULL REFERENCES policy,
  PRIMARY KEY (role_id, policy_id)
);
CREATE INDEX role_policy_policy ON role_policy (policy_id);
INSERT INTO role_policy (role_id, policy_id)
  SELECT r.id, p.id FROM role r JOIN policy p ON p.name = r.name;

CREATE TABLE owner_role (
  owner_id bigint NOT NULL REFERENCES owner ON DELETE CASCADE,
  role_id  bigint NOT NULL REFERENCES role,
  PRIMARY KEY (owner_id, role_id)
);
CREATE INDEX owner_role_role ON owner_role (role_id);

-- Requests of users to be bound to an owner. The row of the owner may go; its name stays readable. Who is
-- bound to whom (user_owner) changes one at a time, under a lock of that table.
CREATE TABLE owner_association_request (
  id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username           text COLLATE "C" NOT NULL,
  provider           text COLLATE "C" NOT NULL DEFAULT '',
  owner_id           bigint REFERENCES owner ON DELETE SET NULL,
  owner_name         text COLLATE "C" NOT NULL,
  status             text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPROVED', 'DECLINED')),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  status_updated_by  text,
  status_updated_by_provider text NOT NULL DEFAULT '',
  status_updated_at  timestamptz(3)
);
CREATE INDEX owner_association_request_owner ON owner_association_request (owner_id);
CREATE INDEX owner_association_request_status ON owner_association_request (status, id DESC);
-- A user waits for one answer at a time.
CREATE UNIQUE INDEX owner_association_request_pending
  ON owner_association_request (username, provider) WHERE status = 'PENDING';
CREATE INDEX owner_association_request_user
  ON owner_association_request (username, provider, id DESC);

CREATE TABLE owner_association_request_event (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id bigint NOT NULL REFERENCES owner_association_request ON DELETE CASCADE,
  event_type text NOT NULL CHECK (event_type IN ('REQUEST_CREATED', 'REQUEST_APPROVED',
               'REQUEST_DECLINED', 'REQUEST_MANUALLY_APPROVED', 'REQUEST_MANUALLY_DECLINED')),
  -- The status that the request had after it, and by whom.
  status     text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'DECLINED')),
  created_by text,
  created_by_provider text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX owner_association_request_event_request ON owner_association_request_event (request_id);

-- Whoever has signed in. Whether a provider holds somebody for an administrator is known from the last
-- time only; personal tokens go by it.
CREATE TABLE account (
  username       text COLLATE "C" NOT NULL,
  provider       text COLLATE "C" NOT NULL DEFAULT '',
  admin          boolean NOT NULL,
  signed_in_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (username, provider)
);

-- Tokens of people, for their scripts. What is kept of the token itself is as in `token`.
CREATE TABLE personal_token (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username     text COLLATE "C" NOT NULL,
  provider     text COLLATE "C" NOT NULL DEFAULT '',
  name         text COLLATE "C" NOT NULL,
  scope        text NOT NULL CHECK (scope IN ('READ', 'ALL')),
  digest       bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  hint         text COLLATE "C" NOT NULL CHECK (char_length(hint) <= 4),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- NULL: until it is revoked.
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  FOREIGN KEY (username, provider) REFERENCES account,
  UNIQUE (username, provider, name)
);
CREATE INDEX personal_token_expires ON personal_token (expires_at);

-- Sessions, where `session.provider` is INTERNAL_POSTGRESQL.
CREATE TABLE session (
  id_digest  bytea PRIMARY KEY CHECK (octet_length(id_digest) = 32),
  content    text NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX session_expires ON session (expires_at);

-- What auditors ask for. No foreign keys: it outlives what it names.
CREATE TABLE audit_event (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type           text COLLATE "C" NOT NULL,
  actor          text,
  actor_provider text NOT NULL DEFAULT '',
  actor_kind     text NOT NULL CHECK (actor_kind IN ('user', 'system', 'service-key', 'collector')),
  -- Address of the client, where there is a connection.
  address        text,
  -- What it was done to, in words: `policy 12 Analysts`.
  subject        text,
  recorded_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX audit_event_recorded ON audit_event (recorded_at, id);
CREATE INDEX audit_event_actor ON audit_event (actor, recorded_at);

-- A token has one holder, which is looked up by it.
CREATE UNIQUE INDEX collector_token ON collector (token_id);
CREATE UNIQUE INDEX data_source_token ON data_source (token_id);
