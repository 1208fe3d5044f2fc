-- A token is looked up by a digest of it, so that the time of the look-up tells nothing of its letters.
CREATE INDEX token_digest ON token (md5(value));
