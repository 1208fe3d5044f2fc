import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities with earlier rows, $2 groups, $3 members, $4 origins as posted. */
export const replace = statement("ingest-replace-group-members")`
  WITH wanted AS (
     SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS w (group_id, member_id, origin)),
   gone AS (
     DELETE FROM group_member m
      WHERE (m.origin = 'LIST' AND m.group_id = ANY($1::bigint[])
          OR m.origin = 'PARENT' AND m.member_id = ANY($1::bigint[]))
        AND NOT EXISTS (SELECT FROM wanted w
          WHERE w.group_id = m.group_id AND w.member_id = m.member_id AND w.origin = m.origin))
   INSERT INTO group_member (group_id, member_id, origin)
   SELECT group_id, member_id, origin FROM wanted
   ON CONFLICT DO NOTHING`;
