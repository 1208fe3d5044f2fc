-- What of an entity's SQL could not be traced: objects with dataset, column, reason, line and position, as the reader
-- found them. An older release writes none.
ALTER TABLE sql_reading ADD COLUMN gaps jsonb NOT NULL DEFAULT '[]';
