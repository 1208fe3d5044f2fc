import {
  type ClaimedRow,
  queueStatements,
  takenFrom,
} from "#platform/composed-source/queue.queries.ts";
import { statement } from "#metadata/postgres/statement.ts";

export type Table = "dh_entity";

/** The statements with which entities are taken, posted and removed; what another entity is posted as is retained. */
export const queue = queueStatements<Table>({
  prefix: "dh",
  tables: ["dh_entity"],
  leaving: "dh_leaving",
  further: ["dh_follower", "dh_term_link WHERE due_at <= now()"],
  retained:
    "EXISTS (SELECT FROM dh_entity m WHERE m.posted <> '{}' AND m.posted @> ARRAY[l.catrn])",
});

export type ClaimedEntity = ClaimedRow & {
  type: string;
  catrn: string | null;
  /** CATRNs of what was posted of it. */
  posted: string[];
};

const columns =
  `key, '' AS state, dirty, last_seen, posted_hash, posted_at, received_at, type, catrn, posted`;

/** Datasets, which others name, and all others. */
export const takeDatasets = statement<ClaimedEntity>("dh-take-datasets")`
  SELECT ${columns} ${takenFrom("dh_entity", "type = 'dataset'")}`;
export const takeOthers = statement<ClaimedEntity>("dh-take-others")`
  SELECT ${columns} ${takenFrom("dh_entity", "type <> 'dataset'")}`;

/** $1 urns, $2 CATRNs, $3 how they were found, $4 now. */
export const named = statement("dh-named")`
  UPDATE dh_entity t SET catrn = n.catrn, match = n.match, resolved_at = $4::bigint
    FROM unnest($1::text[], $2::text[], $3::text[]) AS n (key, catrn, match) WHERE t.key = n.key`;

/** $1 urns, $2 JSON lists of the CATRNs that they are posted as. */
export const postedAs = statement("dh-posted-as")`
  UPDATE dh_entity t SET posted = ARRAY(SELECT json_array_elements_text(n.posted::json))
    FROM unnest($1::text[], $2::text[]) AS n (key, posted) WHERE t.key = n.key`;
