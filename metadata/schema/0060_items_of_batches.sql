-- How many items an applied chunk had. Null: refused, or applied by an earlier release.
ALTER TABLE applied_batch ADD COLUMN items integer;
