-- Whose share a file uses, from the beginning of its upload: a digest of the caller (`shareOf`), since a caller that has not
-- signed in is known by its address. NULL: begun by an older release; it counts for nobody.
ALTER TABLE attachment_file ADD COLUMN share text;
CREATE INDEX attachment_file_share ON attachment_file (share) INCLUDE (size, completed_at);
