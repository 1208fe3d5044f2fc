-- Where the changes that may be read end (`edge`), and the number of the next transaction. A transaction that still runs
-- may have drawn an earlier number than others that have committed: nothing is read from the oldest of them on, so that
-- what it writes is not passed over. Those of other databases count for nothing, or whoever shares the server could hold
-- up everybody. Whoever runs is told with 32 bits, and may have begun after `next` was taken.
--
-- It must be asked in a statement before the one that reads the changes: what had ended by then is then seen.
CREATE OR REPLACE FUNCTION changes_horizon() RETURNS TABLE (edge xid8, next xid8)
  LANGUAGE sql VOLATILE AS $$
  WITH taken AS MATERIALIZED (
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next),
  running AS (
    SELECT (t.next - a.backend_xid::text::bigint) & 4294967295 AS ago
      FROM taken t JOIN pg_stat_activity a
        ON a.datname = current_database() AND a.backend_xid IS NOT NULL)
  SELECT (t.next - coalesce((SELECT max(ago) FROM running WHERE ago < 2147483648), 0))::text::xid8,
         t.next::text::xid8
    FROM taken t
$$;

-- Removes changes: of those that may be read, all but the newest `kept` and all that are older than an hour, but for the
-- newest of what may go, which stays to mark where knowledge begins; and what a later transaction than any of this server
-- made, which came with a copy of another server's data. At most `most` of each; returns the number of rows.
CREATE OR REPLACE FUNCTION changes_forget(kept bigint, most bigint) RETURNS bigint
  LANGUAGE plpgsql AS $$
DECLARE
  edge xid8 := (SELECT h.edge FROM changes_horizon() h);
  gone bigint;
BEGIN
  WITH last AS (
    SELECT xid, id FROM (
      (SELECT xid, id FROM change WHERE xid < edge
        ORDER BY xid DESC, id DESC OFFSET kept LIMIT 1)
      UNION ALL
      (SELECT xid, id FROM change
        WHERE xid < edge AND occurred_at < now() - interval '1 hour'
        ORDER BY xid DESC, id DESC LIMIT 1)) old
     ORDER BY xid DESC, id DESC LIMIT 1),
  removed AS (
    DELETE FROM change WHERE (xid, id) IN (
      (SELECT c.xid, c.id FROM change c, last
        WHERE (c.xid, c.id) < (last.xid, last.id) ORDER BY c.xid, c.id LIMIT most)
      UNION ALL
      (SELECT xid, id FROM change WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()) LIMIT most))
    RETURNING 1)
  SELECT count(*) INTO gone FROM removed;
  RETURN gone;
END $$;
