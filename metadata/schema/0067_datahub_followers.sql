-- Entities whose change shows on those that name them: the publisher has these mapped again, some at a time, in the order
-- of their urns. `after`: the last one that was.

CREATE TABLE dh_follower (
  named text COLLATE "C" PRIMARY KEY,
  after text COLLATE "C" NOT NULL DEFAULT '',
  since timestamptz(3) NOT NULL DEFAULT now()
);

CREATE INDEX dh_reference_followers ON dh_reference (named, urn, aspect);
DROP INDEX dh_reference_named;
