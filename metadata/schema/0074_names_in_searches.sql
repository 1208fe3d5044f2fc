-- Words of names, so that of a word that very many assets have, those with it in their names are found without reading all.
CREATE INDEX search_document_names ON search_document USING gin (names)
  WITH (fastupdate = on, gin_pending_list_limit = 1024);
