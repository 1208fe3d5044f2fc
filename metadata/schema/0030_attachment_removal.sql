-- How often the storage refused to remove a piece that is to be removed. Such a piece becomes part of no file any more,
-- since nobody knows whether its object is still there.
ALTER TABLE attachment_piece ADD COLUMN removal_failures integer NOT NULL DEFAULT 0;
