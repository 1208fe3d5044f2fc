-- Attachments as finished JSON.

-- DataEntityFile.
CREATE OR REPLACE FUNCTION json_attachment_file(f attachment_file) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', f.id, 'name', f.name, 'size', f.size,
      'media_type', f.media_type, 'created_at', iso(f.completed_at))$$;

-- DataEntityLink.
CREATE OR REPLACE FUNCTION json_attachment_link(l attachment_link) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', l.id, 'name', l.name, 'url', l.url)$$;

-- DataEntityAttachments of an entity, in the order in which they were made.
CREATE OR REPLACE FUNCTION json_attachments(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    'files', (SELECT coalesce(json_agg(json_attachment_file(f) ORDER BY f.id), '[]')
                FROM attachment_file f
               WHERE f.entity_id = entity AND f.completed_at IS NOT NULL),
    'links', (SELECT coalesce(json_agg(json_attachment_link(l) ORDER BY l.id), '[]')
                FROM attachment_link l WHERE l.entity_id = entity))
$$;
