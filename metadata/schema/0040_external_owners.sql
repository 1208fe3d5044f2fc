-- Owners that batches tell of, beside those that people gave. Each gives way to a person's ownership of the same owner, and
-- counts for everything but rights.
ALTER TABLE ownership ADD external boolean NOT NULL DEFAULT false;
