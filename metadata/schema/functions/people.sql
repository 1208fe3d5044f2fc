-- People as finished JSON.

-- Role, with its policies by name.
CREATE OR REPLACE FUNCTION json_role(r role) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', r.id, 'name', r.name, 'policies',
      (SELECT coalesce(json_agg(json_named(p.id, p.name) ORDER BY p.name), '[]')
         FROM role_policy rp JOIN policy p ON p.id = rp.policy_id WHERE rp.role_id = r.id))$$;

-- Role[] of an owner.
CREATE OR REPLACE FUNCTION json_owner_roles(owner bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_role(r) ORDER BY r.name), '[]')
      FROM owner_role o JOIN role r ON r.id = o.role_id WHERE o.owner_id = owner$$;

-- Owner, with its roles and the user that is bound to it.
CREATE OR REPLACE FUNCTION json_owner(o owner) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', o.id, 'name', o.name, 'roles', json_owner_roles(o.id),
      'associated_user',
      (SELECT json_build_object('oidc_username', u.username, 'provider', nullif(u.provider, ''))
         FROM user_owner u WHERE u.owner_id = o.id))$$;

-- Whether the owner has a role beyond the predefined User, which whoever is bound to no owner has as well.
CREATE OR REPLACE FUNCTION owner_is_privileged(owner bigint) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT EXISTS (SELECT FROM owner_role x JOIN role r ON r.id = x.role_id
                    WHERE x.owner_id = owner AND r.name <> 'User')$$;

-- Whether a user may be bound to the owner without being asked about: nobody is bound to it, and it brings
-- no more rights than everybody has.
CREATE OR REPLACE FUNCTION owner_is_free(owner bigint) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT NOT EXISTS (SELECT FROM user_owner u WHERE u.owner_id = owner)
       AND NOT owner_is_privileged(owner)$$;

-- Ownership.
CREATE OR REPLACE FUNCTION json_ownership_of(o ownership) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', o.id,
      'owner', (SELECT json_owner(w) FROM owner w WHERE w.id = o.owner_id),
      'title', (SELECT json_named(t.id, t.name) FROM title t WHERE t.id = o.title_id))$$;

-- OwnershipList of an entity, for statements that name it in FROM.
CREATE OR REPLACE FUNCTION ownership_shown(entity bigint) RETURNS TABLE (ownership json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_ownership_of(o) ORDER BY o.id), '[]')
      FROM ownership o WHERE o.entity_id = entity$$;

-- OwnershipList.
CREATE OR REPLACE FUNCTION json_ownership(entity bigint) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT ownership FROM ownership_shown(entity)';

-- AssociatedOwner of a user, whom a provider knows by name; or null.
CREATE OR REPLACE FUNCTION json_associated_owner(who text, by_provider text) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT CASE WHEN who IS NOT NULL THEN json_build_object(
      'identity', json_build_object('username', who, 'permissions', NULL),
      'owner', (SELECT json_owner(o)
                  FROM user_owner u JOIN owner o ON o.id = u.owner_id
                 WHERE u.username = who AND u.provider = by_provider)) END$$;
