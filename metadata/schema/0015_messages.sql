-- Discussions of entities in the channels of a chat provider. What people post here is sent from the table
-- `message` itself, which is the queue; what they answer there comes in by way of `chat_event`.

CREATE TABLE message (
  -- Of version 7, made of the milliseconds of created_at: its order is the order of time.
  id           uuid PRIMARY KEY,
  entity_id    bigint NOT NULL REFERENCES data_entity,
  -- What a reply answers; NULL: the message begins a thread.
  root_id      uuid REFERENCES message ON DELETE CASCADE,
  state        text NOT NULL CHECK
    (state IN ('PENDING_SEND', 'SENT', 'EXTERNAL', 'DELETED', 'ERROR_SENDING')),
  channel_id   text COLLATE "C" NOT NULL,
  channel_name text NOT NULL,
  text         text NOT NULL,
  -- Who wrote it: a user with the provider of the identity, or (EXTERNAL) what the chat provider calls them.
  author          text,
  author_provider text NOT NULL DEFAULT '',
  avatar       text,
  created_at   timestamptz(3) NOT NULL,
  -- What the provider calls it within its channel, and when the text was last changed there, in its words:
  -- seconds with six decimals.
  provider_id  text COLLATE "C",
  edit_id      text COLLATE "C",
  -- Its page at the provider, once somebody asked for it.
  permalink    text,
  -- When it was put into the queue, by an operator again, and when it is to be sent.
  queued_at    timestamptz(3) NOT NULL DEFAULT now(),
  due_at       timestamptz(3) NOT NULL DEFAULT now(),
  -- Attempts begun, but for those that the provider put off, and when the last one was.
  attempts     integer NOT NULL DEFAULT 0,
  attempted_at timestamptz(3),
  -- Whether the last attempt may have come to the provider without our knowing.
  uncertain    boolean NOT NULL DEFAULT false,
  claimed_by    uuid,
  claimed_until timestamptz(3),
  -- Why the last attempt failed, in words of our own.
  cause        text,
  traceparent  text DEFAULT nullif(current_setting('tributary.traceparent', true), '')
);
CREATE UNIQUE INDEX message_at_provider ON message (channel_id, provider_id)
  WHERE provider_id IS NOT NULL;
CREATE INDEX message_entity ON message (entity_id, channel_id);
CREATE INDEX message_roots ON message (entity_id, id) WHERE root_id IS NULL;
CREATE INDEX message_replies ON message (root_id, id) WHERE root_id IS NOT NULL;
CREATE INDEX message_pending ON message (channel_id, id) WHERE state = 'PENDING_SEND';
CREATE INDEX message_failed ON message (id) WHERE state = 'ERROR_SENDING';

-- When the next message may be sent to a channel, over all processes. Rows of the past mean nothing.
CREATE TABLE chat_channel (
  channel_id      text COLLATE "C" PRIMARY KEY,
  next_allowed_at timestamptz(3) NOT NULL
);

-- What the provider told of threads that are known here, until it is taken in.
CREATE TABLE chat_event (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The provider's id, the same when it tells of the event again.
  event_id    text COLLATE "C" NOT NULL UNIQUE,
  state       text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'PROCESSING_FAILED')),
  channel_id  text COLLATE "C" NOT NULL,
  -- The thread and the reply, as in message.provider_id; edit_id: the text was changed.
  thread_id   text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  edit_id     text COLLATE "C",
  user_id     text COLLATE "C",
  text        text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at      timestamptz(3) NOT NULL DEFAULT now(),
  attempts    integer NOT NULL DEFAULT 0,
  cause       text,
  traceparent text DEFAULT nullif(current_setting('tributary.traceparent', true), '')
);
CREATE INDEX chat_event_pending ON chat_event (due_at, id) WHERE state = 'PENDING';
CREATE INDEX chat_event_failed ON chat_event (received_at) WHERE state = 'PROCESSING_FAILED';
