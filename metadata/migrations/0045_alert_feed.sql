-- How far changes of alerts were announced to the event log. The row is there from the first time
-- that notifications ran until their slot is dropped by command.
CREATE TABLE alert_feed (
  single         boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- Changes recorded earlier are history and announced to nobody.
  announce_since timestamptz(3) NOT NULL,
  -- Every change up to this id is history, was announced, or never came to be.
  settled_id     bigint NOT NULL DEFAULT 0,
  -- The slot began anew: changes that it never told are still to be announced from the table.
  gap            boolean NOT NULL
);

-- Changes after `settled_id` that the event log has. No foreign key: what the write-ahead log tells
-- may not be visible to others yet.
CREATE TABLE alert_event_published (
  event_id bigint PRIMARY KEY
);
