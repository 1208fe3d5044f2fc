-- What a collector tells of a run beside its outcome: texts by name, as of the first extension of its item.
ALTER TABLE task_run ADD COLUMN metadata jsonb;
