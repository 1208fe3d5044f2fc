-- Binds a personal token to the password of its user, as it was configured when the token was made or first used after
-- this column came: with another password it is good for nothing. NULL: bound to none.
ALTER TABLE personal_token ADD COLUMN credential_stamp bytea CHECK (octet_length(credential_stamp) = 32);
