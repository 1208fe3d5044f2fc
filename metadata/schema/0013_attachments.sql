-- Files and links of data entities. The bytes of files are kept elsewhere, in pieces.

-- A file, from the beginning of its upload.
CREATE TABLE attachment_file (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id    bigint NOT NULL REFERENCES data_entity,
  upload_id    uuid NOT NULL UNIQUE,
  name         text NOT NULL,
  media_type   text NOT NULL DEFAULT 'application/octet-stream',
  size         bigint NOT NULL DEFAULT 0,
  started_at   timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3) -- null while it is being uploaded
);
CREATE INDEX attachment_file_entity ON attachment_file (entity_id, id);
CREATE INDEX attachment_file_open ON attachment_file (started_at, id) WHERE completed_at IS NULL;

-- A piece of a file: an object of the storage. The row is there before the object, and goes after it, so
-- that no object is ever without a row.
CREATE TABLE attachment_piece (
  key          uuid PRIMARY KEY,
  file_id      bigint REFERENCES attachment_file, -- null: of no file, or not yet; to be removed
  chunk        integer,
  place        integer, -- within its chunk
  size         integer NOT NULL,
  spared_until timestamptz NOT NULL, -- while it is of no file
  CHECK (file_id IS NULL OR chunk IS NOT NULL AND place IS NOT NULL)
);
CREATE UNIQUE INDEX attachment_piece_file ON attachment_piece (file_id, chunk, place)
  WHERE file_id IS NOT NULL;
CREATE INDEX attachment_piece_spared ON attachment_piece (spared_until) WHERE file_id IS NULL;

CREATE TABLE attachment_link (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id bigint NOT NULL REFERENCES data_entity,
  name      text NOT NULL,
  url       text NOT NULL
);
CREATE INDEX attachment_link_entity ON attachment_link (entity_id, id);
