-- People as finished JSON.

-- Role, with its policies by name.
CREATE OR REPLACE FUNCTION json_role(r role) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', r.id, 'name', r.name, 'policies',
      (SELECT coalesce(json_agg(json_named(p.id, p.name) ORDER BY p.name), '[]')
         FROM role_policy rp JOIN policy p ON p.id = rp.policy_id WHERE rp.role_id = r.id))$$;

-- Owner, with its roles and the user that is bound to it, for statements that name it in FROM.
CREATE OR REPLACE FUNCTION owner_shown(owner bigint, name text) RETURNS TABLE (shown json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object('id', owner, 'name', name,
      'roles', (SELECT coalesce(json_agg(json_role(r) ORDER BY r.name), '[]')
                  FROM owner_role x JOIN role r ON r.id = x.role_id WHERE x.owner_id = owner),
      'associated_user',
      (SELECT json_build_object('oidc_username', u.username, 'provider', nullif(u.provider, ''))
         FROM user_owner u WHERE u.owner_id = owner))$$;

-- Owner.
CREATE OR REPLACE FUNCTION json_owner(o owner) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT shown FROM owner_shown(o.id, o.name)';
DROP FUNCTION IF EXISTS json_owner_roles(bigint);

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

-- Ownership, of its parts; those of terms are never external.
DROP FUNCTION IF EXISTS json_ownership_of(ownership), json_ownership_of(bigint, json, title);
CREATE OR REPLACE FUNCTION json_ownership_of(
  id bigint, owner json, t title, external boolean DEFAULT false) RETURNS json
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT json_build_object(
      'id', id, 'owner', owner, 'title', json_named(t.id, t.name), 'external', external)$$;

-- OwnershipList of an entity, for statements that name it in FROM.
CREATE OR REPLACE FUNCTION ownership_shown(entity bigint) RETURNS TABLE (ownership json)
  LANGUAGE sql STABLE PARALLEL SAFE AS
  $$SELECT coalesce(json_agg(json_ownership_of(o.id, w.shown, t, o.external) ORDER BY o.id), '[]')
      FROM ownership o JOIN owner ON owner.id = o.owner_id
      CROSS JOIN owner_shown(owner.id, owner.name) w LEFT JOIN title t ON t.id = o.title_id
     WHERE o.entity_id = entity$$;

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
