-- breaking
-- Whether the run that a task was judged by failed and when it was received: a run without an end that
-- is told later and ends otherwise is judged too. What was judged before is told by the runs themselves.
ALTER TABLE judged_run ADD COLUMN received_at timestamptz(3), ADD COLUMN failed boolean;
UPDATE judged_run j SET
  received_at = r.received_at, failed = r.status <> 'SUCCESS', ran_at = least(j.ran_at, r.received_at)
  FROM task_run r WHERE r.catrn = j.catrn;
DELETE FROM judged_run WHERE received_at IS NULL;
ALTER TABLE judged_run ALTER COLUMN received_at SET NOT NULL, ALTER COLUMN failed SET NOT NULL;
