-- Quality: how severe a test is for a dataset; and alerts about data sources.

-- Set by people; MAJOR where there is no row. It outlives a test's declaration of the dataset, so that it
-- holds again when the test declares it again.
CREATE TABLE dataset_test_severity (
  test_id    bigint NOT NULL REFERENCES data_entity,
  dataset_id bigint NOT NULL REFERENCES data_entity,
  severity   text NOT NULL CHECK (severity IN ('MINOR', 'MAJOR', 'CRITICAL')),
  PRIMARY KEY (test_id, dataset_id)
);
CREATE INDEX dataset_test_severity_dataset ON dataset_test_severity (dataset_id);

-- Types 5 and 6: a data source, or the agent that collects from it, fails. Such alerts have no entity; at
-- most one of a type is open for a source.
ALTER TABLE alert ADD COLUMN data_source_id bigint REFERENCES data_source ON DELETE SET NULL;
CREATE UNIQUE INDEX alert_open_source ON alert (data_source_id, type)
  WHERE status = 1 AND data_source_id IS NOT NULL;
CREATE INDEX alert_source ON alert (data_source_id) WHERE data_source_id IS NOT NULL;

ALTER TABLE alert DROP CONSTRAINT alert_type_check, ADD CHECK (type BETWEEN 1 AND 6);
ALTER TABLE alert_event DROP CONSTRAINT alert_event_alert_type_check,
  ADD CHECK (alert_type BETWEEN 1 AND 6);
ALTER TABLE notification DROP CONSTRAINT notification_alert_type_check,
  ADD CHECK (alert_type BETWEEN 1 AND 6);
ALTER TABLE silence DROP CONSTRAINT silence_alert_type_check, ADD CHECK (alert_type BETWEEN 1 AND 6);
