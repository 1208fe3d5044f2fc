const counted = (statement: string) =>
  `WITH gone AS (${statement} RETURNING 1) SELECT count(*) AS count FROM gone`;

/** $1 cutoff, $2 lot; as are the others unless told. */
export const searchSessions = counted(`
  DELETE FROM search_session WHERE id IN (
    SELECT id FROM search_session WHERE last_accessed < $1 ORDER BY last_accessed LIMIT $2)
     AND last_accessed < $1`);

/** $1 how many are kept, $2 lot. */
export const surplusSessions = counted(`
  DELETE FROM search_session WHERE id IN (
    SELECT id FROM search_session ORDER BY last_accessed DESC OFFSET $1 LIMIT $2)`);

export const appliedBatches = counted(`
  DELETE FROM applied_batch WHERE (batch, part) IN (
    SELECT batch, part FROM applied_batch WHERE applied_at < $1 ORDER BY applied_at LIMIT $2)
     AND applied_at < $1`);

/** $1 cutoff, $2 position reached by the projected graph or null, $3 lot. */
export const outbox = counted(`
  DELETE FROM lineage_outbox WHERE position IN (
    SELECT position FROM lineage_outbox
     WHERE created_at < $1 AND position < lineage_head()
       AND ($2::bigint IS NULL OR position <= $2)
     ORDER BY position LIMIT $3)`);

export const edgeHistory = counted(`
  DELETE FROM lineage_edge_history WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM lineage_edge_history WHERE until < $1 ORDER BY until LIMIT $2))`);

export const deletions = counted(`
  DELETE FROM entity_deletion WHERE (entity_id, since) IN (
    SELECT d.entity_id, d.since FROM entity_deletion d
     WHERE d.until < $1 OR d.until IS NULL AND d.since < $1
           AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = d.entity_id)
     LIMIT $2)`);

/** Their chunks go with them. */
export const resolvedAlerts = counted(`
  DELETE FROM alert WHERE id IN (
    SELECT id FROM alert WHERE status <> 1 AND status_updated_at < $1
     ORDER BY status_updated_at LIMIT $2)
     AND status <> 1 AND status_updated_at < $1`);

export const alertEvents = counted(`
  DELETE FROM alert_event WHERE id IN (
    SELECT id FROM alert_event WHERE recorded_at < $1 ORDER BY recorded_at LIMIT $2)`);

export const strayActivity = counted(`
  DELETE FROM activity_other WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM activity_other WHERE created_at < $1 LIMIT $2))`);

/** Changing partitions stops all reading of activity: better to try again than to queue up. */
export const shortLockWait = "SET LOCAL lock_timeout = '3s'";

/** $1 cutoff. */
export const dropActivity = "SELECT activity_drop_before($1) AS count";

/** $1 now, $2 days. */
export const makeActivity = `
  SELECT activity_partition($1::timestamptz, $2),
         activity_partition($1::timestamptz + make_interval(days => $2), $2)`;

export const overdueDeliveries = counted(`
  UPDATE delivery SET state = 'failed', reason = 'not delivered in time', ended_at = now()
   WHERE state = 'pending' AND id IN (
     SELECT id FROM delivery
      WHERE state = 'pending' AND created_at < $1
        AND (claimed_until IS NULL OR claimed_until < now())
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`);

export const endedDeliveries = counted(`
  DELETE FROM delivery WHERE ended_at < $1 AND id IN (
    SELECT id FROM delivery WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`);

export const toldMessages = counted(`
  UPDATE notification SET message = NULL WHERE (event_id, kind) IN (
    SELECT event_id, kind FROM notification n
     WHERE created_at < $1 AND message IS NOT NULL
       AND NOT EXISTS (SELECT FROM delivery d WHERE (d.event_id, d.kind) = (n.event_id, n.kind))
     ORDER BY created_at LIMIT $2)`);

export const knownChanges = counted(`
  DELETE FROM notification WHERE (event_id, kind) IN (
    SELECT event_id, kind FROM notification n
     WHERE created_at < $1 AND message IS NULL
       AND NOT EXISTS (SELECT FROM delivery d WHERE (d.event_id, d.kind) = (n.event_id, n.kind))
     ORDER BY created_at LIMIT $2)`);

export const pastSilences = counted(`
  DELETE FROM silence WHERE id IN (
    SELECT id FROM silence WHERE until < $1 ORDER BY until LIMIT $2)`);
