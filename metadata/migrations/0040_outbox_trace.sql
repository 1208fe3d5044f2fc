-- Which trace moved lineage, so that the write into the graph can be followed back to its request.
-- A transaction that is traced sets tributary.traceparent (W3C Trace Context) for its own length.
ALTER TABLE lineage_outbox ADD COLUMN traceparent text
  DEFAULT nullif(current_setting('tributary.traceparent', true), '');
