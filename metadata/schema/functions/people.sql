-- People as finished JSON.

-- Owner. The user that is associated with it is not shown here.
CREATE OR REPLACE FUNCTION json_owner(o owner) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', o.id, 'name', o.name, 'roles', json_owner_roles(o.id),
                             'associated_user', NULL)$$;

-- OwnershipList.
CREATE OR REPLACE FUNCTION json_ownership(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_build_object('id', o.id, 'owner', json_owner(w),
             'title', json_named(t.id, t.name)) ORDER BY o.id), '[]')
      FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
     WHERE o.entity_id = entity$$;

-- AssociatedOwner of a user, whom a provider knows by name; or null.
CREATE OR REPLACE FUNCTION json_associated_owner(who text, by_provider text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN who IS NOT NULL THEN json_build_object(
      'identity', json_build_object('username', who, 'permissions', NULL),
      'owner', (SELECT json_owner(o)
                  FROM user_owner u JOIN owner o ON o.id = u.owner_id
                 WHERE u.username = who AND u.provider = by_provider)) END$$;
