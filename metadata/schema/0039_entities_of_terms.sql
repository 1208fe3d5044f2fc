-- What a term is linked with is counted and paged by indexes alone.
CREATE INDEX entity_term_entities ON entity_term (term_id, entity_id);
DROP INDEX entity_term_term;
CREATE INDEX entity_mention_entities ON entity_mention (namespace, name, entity_id);
DROP INDEX entity_mention_named;
