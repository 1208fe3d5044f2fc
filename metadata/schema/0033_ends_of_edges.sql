-- The index of the history by end serves those who look for what ended within some time; they say `establisher_id > 0`,
-- which is true of every row, to get it. A walk as of a past time must not be planned over it: when many edges ended at
-- once soon after that time, few are estimated, and each would be compared with every node of a level.
DROP INDEX lineage_edge_history_until, column_edge_history_until;
CREATE INDEX lineage_edge_history_until ON lineage_edge_history (until) WHERE establisher_id > 0;
CREATE INDEX column_edge_history_until ON column_edge_history (until) WHERE establisher_id > 0;
