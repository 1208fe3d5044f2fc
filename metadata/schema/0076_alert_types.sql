-- Types of alerts are declared in one place, contract/alerts.ts: the database has no list of its own to be kept equal.
ALTER TABLE alert DROP CONSTRAINT alert_type_check,
  ADD CONSTRAINT alert_type_check CHECK (type > 0);
ALTER TABLE alert_event DROP CONSTRAINT alert_event_alert_type_check,
  ADD CONSTRAINT alert_event_alert_type_check CHECK (alert_type > 0);
ALTER TABLE notification DROP CONSTRAINT notification_alert_type_check,
  ADD CONSTRAINT notification_alert_type_check CHECK (alert_type > 0);
ALTER TABLE silence DROP CONSTRAINT silence_alert_type_check,
  ADD CONSTRAINT silence_alert_type_check CHECK (alert_type > 0);
