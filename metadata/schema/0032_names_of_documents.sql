-- Names by their beginnings: whoever types the beginning of a name is given it without reading all that has its words.
CREATE INDEX search_document_name ON search_document (name text_pattern_ops);
