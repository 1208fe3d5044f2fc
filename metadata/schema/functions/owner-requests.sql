-- Requests of users to be bound to an owner, as finished JSON.

-- OwnerAssociationRequest.
CREATE OR REPLACE FUNCTION json_owner_request(r owner_association_request) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', r.id, 'username', r.username, 'provider', nullif(r.provider, ''),
      'owner_id', r.owner_id, 'owner_name', coalesce(w.owner->>'name', r.owner_name),
      'roles', w.owner->'roles', 'status', r.status,
      'status_updated_by',
      json_associated_owner(r.status_updated_by, r.status_updated_by_provider),
      'status_updated_at', iso(r.status_updated_at))
      FROM (SELECT (SELECT json_owner(o) FROM owner o WHERE o.id = r.owner_id) AS owner) w$$;

-- OwnerAssociationRequestActivity: the request as an event left it.
CREATE OR REPLACE FUNCTION json_owner_request_event(
  r owner_association_request, e owner_association_request_event
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT (json_owner_request(r)::jsonb || jsonb_build_object('activity_id', e.id,
      'event_type', e.event_type, 'status', e.status,
      'status_updated_by', json_associated_owner(e.created_by, e.created_by_provider),
      'status_updated_at', iso(e.created_at)))::json$$;
