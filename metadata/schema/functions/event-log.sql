-- Appending to the event log, and its consumer groups.

-- Appends records in order; `bytes` holds their values end to end. Returns the first offset drawn in each
-- partition. Heads are locked in order, so two appends never wait for each other in a circle.
CREATE OR REPLACE FUNCTION log_append(
  in_topic text, in_partitions integer[], envelopes text[], sizes integer[], bytes bytea
) RETURNS TABLE (partition integer, first_offset bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM log_partition
    WHERE topic = in_topic AND partition = ANY (in_partitions)
    ORDER BY partition FOR NO KEY UPDATE;
  RETURN QUERY
  WITH input AS (
    SELECT i.partition, i.envelope, i.size,
           row_number() OVER (PARTITION BY i.partition ORDER BY i.ord) AS nth,
           1 + sum(i.size) OVER (ORDER BY i.ord) - i.size AS start
    FROM unnest(in_partitions, envelopes, sizes) WITH ORDINALITY AS i (partition, envelope, size, ord)
  ), counts AS (
    SELECT i.partition, count(*) AS records FROM input i GROUP BY i.partition
  ), heads AS (
    UPDATE log_partition p SET next_offset = p.next_offset + c.records
    FROM counts c WHERE p.topic = in_topic AND p.partition = c.partition
    RETURNING p.partition, p.next_offset - c.records AS first_offset
  ), stored AS (
    INSERT INTO log_record (topic, partition, "offset", logged_at, envelope, value)
    SELECT in_topic, i.partition, h.first_offset + i.nth - 1, clock_timestamp(), i.envelope::json,
           substring(bytes FROM i.start::integer FOR i.size)
    FROM input i JOIN heads h ON h.partition = i.partition
  )
  SELECT h.partition, h.first_offset FROM heads h;
  PERFORM pg_notify('log_records', json_build_array(
    in_topic, (SELECT json_agg(DISTINCT p) FROM unnest(in_partitions) p))::text);
END $$;

-- Spreads the partitions over the live members, whose group the caller has locked. What has no live owner
-- changes hands at once, the rest when its owner releases it.
CREATE OR REPLACE FUNCTION log_rebalance(in_group text, in_topic text) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  -- A process that was stopped in mid-statement may hold its own row: it must not hold up the others.
  DELETE FROM log_member WHERE id IN (
    SELECT id FROM log_member
    WHERE group_name = in_group AND topic = in_topic AND expires_at <= clock_timestamp()
    FOR UPDATE SKIP LOCKED);
  WITH live AS (
    SELECT id, row_number() OVER (ORDER BY joined) - 1 AS nth, count(*) OVER () AS members
    FROM log_member
    WHERE group_name = in_group AND topic = in_topic AND expires_at > clock_timestamp()
  ), wanted AS (
    SELECT c.partition, l.id FROM log_claim c LEFT JOIN live l ON c.partition % l.members = l.nth
    WHERE c.group_name = in_group AND c.topic = in_topic
  )
  UPDATE log_claim c SET
    target = w.id,
    owner = CASE WHEN EXISTS (SELECT 1 FROM live WHERE live.id = c.owner) THEN c.owner ELSE w.id END
  FROM wanted w
  WHERE c.group_name = in_group AND c.topic = in_topic AND c.partition = w.partition;
  UPDATE log_group SET generation = generation + 1 WHERE name = in_group AND topic = in_topic;
  PERFORM pg_notify('log_groups', json_build_array(in_group, in_topic)::text);
END $$;

-- Enters a group; `latest` is where a group starts that has never been there before.
CREATE OR REPLACE FUNCTION log_join(
  in_group text, in_topic text, member uuid, session_ms integer, latest boolean
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE known boolean;
BEGIN
  INSERT INTO log_group (name, topic) VALUES (in_group, in_topic) ON CONFLICT DO NOTHING;
  PERFORM 1 FROM log_group WHERE name = in_group AND topic = in_topic FOR NO KEY UPDATE;
  -- Who was not heard of since the server started went down with it: nobody has to wait for its session.
  -- (Should it live after all, it is fenced like any other whose session ended, and joins again.)
  UPDATE log_member SET expires_at = '-infinity'
    WHERE group_name = in_group AND topic = in_topic
      AND expires_at - session_ms * interval '1 millisecond' < pg_postmaster_start_time();
  known := EXISTS (SELECT 1 FROM log_claim WHERE group_name = in_group AND topic = in_topic);
  INSERT INTO log_claim (group_name, topic, partition, committed)
    SELECT in_group, in_topic, p.partition,
           CASE WHEN latest AND NOT known THEN p.next_offset ELSE p.start_offset END
    FROM log_partition p WHERE p.topic = in_topic
    ON CONFLICT DO NOTHING;
  INSERT INTO log_member (id, group_name, topic, expires_at)
    VALUES (member, in_group, in_topic, clock_timestamp() + session_ms * interval '1 millisecond');
  PERFORM log_rebalance(in_group, in_topic);
END $$;

-- Prolongs a membership and tells what it holds; null once it has ended, and then for ever.
CREATE OR REPLACE FUNCTION log_heartbeat(in_group text, in_topic text, member uuid, session_ms integer)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE ended boolean;
BEGIN
  ended := EXISTS (SELECT 1 FROM log_member
    WHERE group_name = in_group AND topic = in_topic AND expires_at <= clock_timestamp());
  IF ended THEN
    PERFORM 1 FROM log_group WHERE name = in_group AND topic = in_topic FOR NO KEY UPDATE;
  END IF;
  UPDATE log_member SET expires_at = clock_timestamp() + session_ms * interval '1 millisecond'
    WHERE id = member AND expires_at > clock_timestamp();
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF ended THEN
    PERFORM log_rebalance(in_group, in_topic);
  END IF;
  RETURN coalesce((
    SELECT json_agg(json_build_object(
      'partition', c.partition, 'committed', c.committed, 'end', p.next_offset,
      'wanted', c.target IS NOT DISTINCT FROM c.owner))
    FROM log_claim c JOIN log_partition p USING (topic, partition)
    WHERE c.group_name = in_group AND c.topic = in_topic AND c.owner = member), '[]'::json);
END $$;

-- Hands over what another member should own.
CREATE OR REPLACE FUNCTION log_release(in_group text, in_topic text, in_partition integer, member uuid)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log_claim SET owner = target
    WHERE group_name = in_group AND topic = in_topic AND partition = in_partition AND owner = member;
  PERFORM pg_notify('log_groups', json_build_array(in_group, in_topic)::text);
END $$;

-- False, and nothing is changed, when the member does not own the partition or its session is over.
CREATE OR REPLACE FUNCTION log_commit(
  in_group text, in_topic text, in_partition integer, member uuid, next_offset bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log_claim c SET committed = greatest(c.committed, next_offset)
    WHERE c.group_name = in_group AND c.topic = in_topic AND c.partition = in_partition
      AND c.owner = member
      AND EXISTS (SELECT 1 FROM log_member WHERE id = member AND expires_at > clock_timestamp());
  RETURN FOUND;
END $$;

-- Leaves a group; what the member held goes to the others at once.
CREATE OR REPLACE FUNCTION log_leave(in_group text, in_topic text, member uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM log_group WHERE name = in_group AND topic = in_topic FOR NO KEY UPDATE;
  DELETE FROM log_member WHERE id = member;
  PERFORM log_rebalance(in_group, in_topic);
END $$;
