-- Tests of datasets: which there are, how severe each is, and how they went.

-- Live tests of a dataset, each with its severity for it.
CREATE OR REPLACE FUNCTION dataset_tests(dataset bigint) RETURNS TABLE (test_id bigint, severity text)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT e.id, coalesce(s.severity, 'MAJOR')
      FROM test_dataset t JOIN data_entity e ON e.id = t.test_id
      LEFT JOIN dataset_test_severity s ON s.test_id = t.test_id AND s.dataset_id = t.dataset_id
     WHERE t.dataset_id = dataset AND NOT e.hollow AND is_live(e.status)$$;

-- Statuses of a test's latest run and of the latest that has finished, which is null when none has; no row
-- for a test without runs. The order is that of json_latest_run.
CREATE OR REPLACE FUNCTION test_outcome(test bigint) RETURNS TABLE (latest text, finished text)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT r.status, CASE WHEN r.status <> 'RUNNING' THEN r.status ELSE (
           SELECT f.status FROM task_run f
            WHERE f.task_id = test AND f.kind = 'TEST' AND f.status <> 'RUNNING'
            ORDER BY coalesce(f.end_time, f.start_time) DESC, f.catrn DESC LIMIT 1) END
      FROM task_run r WHERE r.task_id = test AND r.kind = 'TEST'
     ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC LIMIT 1$$;

-- DataEntity.severity of a test: how severe it is for the live dataset to which it matters most; null when
-- it tests none.
CREATE OR REPLACE FUNCTION test_severity(test bigint) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT (ARRAY['MINOR', 'MAJOR', 'CRITICAL'])[max(array_position(
             ARRAY['MINOR', 'MAJOR', 'CRITICAL'], coalesce(s.severity, 'MAJOR')))]
      FROM test_datasets(test) d
      LEFT JOIN dataset_test_severity s ON s.test_id = test AND s.dataset_id = d.id$$;

-- DataEntity of a test, as a dataset's list shows it: `severity` is that for this dataset.
CREATE OR REPLACE FUNCTION json_dataset_test(e data_entity, severity text, stale_days integer)
  RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT (json_data_entity(e, stale_days)::jsonb || jsonb_build_object('severity', severity))::json$$;
