-- Since when an alert of the alert router fires. With the fingerprint it tells a late delivery of what
-- is known from an alert that fires again. NULL where the router did not say, for alerts of a release
-- before this one (their time of creation counts), and for all other alerts.
ALTER TABLE alert ADD COLUMN starts_at timestamptz(3);

-- The newest start known of a fingerprint, whatever the status of the alert.
CREATE INDEX alert_fingerprint_start ON alert (fingerprint, (coalesce(starts_at, created_at)))
  WHERE fingerprint IS NOT NULL;

-- Ends that the alert router reported of alerts that no alert is known of: the delivery that says that
-- one fires may come later.
CREATE TABLE routed_alert_end (
  fingerprint text COLLATE "C" PRIMARY KEY,
  starts_at   timestamptz(3) NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX routed_alert_end_recorded ON routed_alert_end (recorded_at);
