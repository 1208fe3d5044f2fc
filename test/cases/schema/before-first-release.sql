-- What the commit before the first release left in a database, cut down to its ledger and one table
-- with a row; as that commit made it.
CREATE TABLE schema_migration (
  version    integer PRIMARY KEY,
  name       text NOT NULL,
  breaking   boolean NOT NULL,
  applied_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO schema_migration (version, name, breaking) VALUES
  (1, '0001_catalogue.sql', false),
  (2, '0002_lineage.sql', false),
  (3, '0003_operations.sql', false),
  (4, '0004_eventlog.sql', false),
  (5, '0005_json.sql', false),
  (6, '0006_json_entity.sql', false),
  (7, '0007_json_relationship.sql', false),
  (8, '0008_json_field.sql', false),
  (15, '0015_entity_deletion.sql', false),
  (16, '0016_group_states.sql', false),
  (17, '0017_purge.sql', false),
  (18, '0018_activity_partitions.sql', false),
  (20, '0020_search.sql', false),
  (21, '0021_search_refresh.sql', false),
  (22, '0022_administration.sql', false),
  (25, '0025_lineage_walk.sql', false),
  (26, '0026_lineage_lot.sql', false),
  (30, '0030_token_digest.sql', false),
  (40, '0040_outbox_trace.sql', false),
  (41, '0041_alerts.sql', false),
  (42, '0042_judged_runs.sql', false),
  (43, '0043_alert_reads.sql', false),
  (44, '0044_activity_feed.sql', false),
  (45, '0045_alert_feed.sql', false),
  (46, '0046_delivery.sql', false),
  (49, '0049_delivery_reads.sql', false),
  (50, '0050_service_edge.sql', false),
  (51, '0051_service_graph.sql', false),
  (54, '0054_service_entities.sql', false),
  (60, '0060_judged_outcome.sql', true),
  (61, '0061_lineage_first_level.sql', false),
  (62, '0062_token_kept_as_digest.sql', true),
  (66, '0066_service_quarantine.sql', false);

CREATE TABLE namespace (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO namespace (name) VALUES ('old');
