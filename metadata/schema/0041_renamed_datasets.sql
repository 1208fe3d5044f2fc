-- A RENAME is stated by the name that it took away, whose state tells whether it is in use again. Statements of before
-- were made by the new name, and stood for ever; those whose old name was seen later end.
ALTER TABLE ol_alias_link DROP CONSTRAINT ol_alias_link_kind_check;
ALTER TABLE ol_alias_link ADD CONSTRAINT ol_alias_link_kind_check
  CHECK (kind IN ('location', 'name', 'rename'));

UPDATE ol_dataset d
   SET state = left(d.state, -1) || ',"moved":' || json_build_object('key', r.from_key, 't', r.t) || '}'
  FROM (SELECT DISTINCT ON (to_key) from_key, to_key, t FROM ol_alias_link
         WHERE kind = 'name' AND h = '' ORDER BY to_key, t DESC, from_key) r
 WHERE d.key = r.to_key;
INSERT INTO ol_alias_link (by, from_key, to_key, kind, t, h)
  SELECT DISTINCT ON (l.to_key) l.to_key, l.from_key, l.to_key, 'rename', l.t, ''
    FROM ol_alias_link l JOIN ol_dataset d ON d.key = l.to_key
   WHERE l.kind = 'name' AND l.h = ''
   ORDER BY l.to_key, l.t DESC, l.from_key;
DELETE FROM ol_alias_link r USING ol_dataset d
 WHERE r.kind = 'rename' AND d.key = r.to_key AND d.last_seen > r.t;
UPDATE ol_dataset SET dirty = dirty + 1 WHERE key IN (
  SELECT unnest(ARRAY[from_key, to_key]) FROM ol_alias_link WHERE kind = 'name' AND h = '');
DELETE FROM ol_alias_link WHERE kind = 'name' AND h = '';
