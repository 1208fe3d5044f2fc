-- What the delivery log is asked by, beside the order of its rows.
CREATE INDEX delivery_alert ON delivery (alert_id);
CREATE INDEX notification_subject ON notification (entity_id) WHERE entity_id IS NOT NULL;
