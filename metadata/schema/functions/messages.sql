-- Messages of discussions, as answers show them.

-- Message. base: address of this catalogue. The author is named as the owner that the user is bound to.
CREATE OR REPLACE FUNCTION json_message(m message, base text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    'id', m.id, 'text', m.text, 'username', message_author(m), 'username_avatar', m.avatar,
    'created_at', iso(m.created_at),
    'url', CASE WHEN m.provider_id IS NOT NULL THEN base || '/api/messages/' || m.id || '/url' END,
    'channel', json_build_object('channel_id', m.channel_id, 'name', m.channel_name),
    'state', m.state,
    'children_messages_count', CASE WHEN m.root_id IS NULL
      THEN (SELECT count(*) FROM message r WHERE r.root_id = m.id) END,
    'error', m.cause)
$$;

CREATE OR REPLACE FUNCTION message_author(m message) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN m.state = 'EXTERNAL' THEN m.author ELSE coalesce(
    (SELECT o.name FROM user_owner u JOIN owner o ON o.id = u.owner_id
      WHERE u.username = m.author AND u.provider = m.author_provider), m.author) END
$$;
