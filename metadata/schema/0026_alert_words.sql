-- Alerts are found by the words of what was said of them. The expression is that of the list of alerts
-- (services/api/features/alerts/queries.ts), by built-in functions alone.
CREATE INDEX alert_chunk_words ON alert_chunk
  USING gin (to_tsvector('simple', translate(left(description, 2000), '_./-@+&<', '        ')));
