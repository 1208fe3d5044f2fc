-- Names that differ only in case or Unicode normal form are one. `folded` is what they have in common (names.sql fills it);
-- `is_duplicate` marks rows that were stored before and stay until they are merged, so that the index can be unique.
ALTER TABLE namespace ADD folded text COLLATE "C", ADD is_duplicate boolean NOT NULL DEFAULT false;
ALTER TABLE owner ADD folded text COLLATE "C", ADD is_duplicate boolean NOT NULL DEFAULT false;
ALTER TABLE tag ADD folded text COLLATE "C", ADD is_duplicate boolean NOT NULL DEFAULT false;
ALTER TABLE title ADD folded text COLLATE "C", ADD is_duplicate boolean NOT NULL DEFAULT false;
ALTER TABLE term ADD folded text COLLATE "C", ADD is_duplicate boolean NOT NULL DEFAULT false;

CREATE INDEX namespace_folded ON namespace (folded);
CREATE INDEX owner_folded ON owner (folded);
CREATE INDEX tag_folded ON tag (folded);
CREATE INDEX title_folded ON title (folded);
CREATE INDEX term_folded ON term (namespace_id, folded);
CREATE UNIQUE INDEX namespace_one ON namespace (folded) WHERE NOT is_duplicate;
CREATE UNIQUE INDEX owner_one ON owner (folded) WHERE NOT is_duplicate;
CREATE UNIQUE INDEX tag_one ON tag (folded) WHERE NOT is_duplicate;
CREATE UNIQUE INDEX title_one ON title (folded) WHERE NOT is_duplicate;
CREATE UNIQUE INDEX term_one ON term (namespace_id, folded) WHERE NOT is_duplicate;
