-- The provider of whoever did it, beside the name: two providers may know users of one name.
ALTER TABLE activity ADD created_by_provider text NOT NULL DEFAULT '';
ALTER TABLE alert ADD status_updated_by_provider text NOT NULL DEFAULT '';
ALTER TABLE token ADD created_by_provider text NOT NULL DEFAULT '',
                  ADD updated_by_provider text NOT NULL DEFAULT '';
ALTER TABLE silence ADD created_by_provider text NOT NULL DEFAULT '';
