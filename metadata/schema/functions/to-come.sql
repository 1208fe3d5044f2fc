-- Members of answers whose features are still to come: each is made here and nowhere else, so that the
-- feature changes one place. They cost nothing, since the planner inlines them.

-- None at present.
