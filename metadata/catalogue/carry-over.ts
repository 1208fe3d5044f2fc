import type { Change } from "#metadata/catalogue/changing.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";

/** Ids of an asset and of the one that has its place under another name. */
interface Succession {
  from: number;
  to: number;
  /** Whether what policies decide by goes along: name, namespace, tags and owners. */
  grants: boolean;
}

const carry = statement("carry-over")`
  SELECT carry_over(w.old, w.new, w.grants)
    FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS w (old, new, grants)`;

/**
 * Copies what people wrote on assets and on their fields to their successors: descriptions, names, tags, terms, owners,
 * metadata, links, favorites and memberships; files and discussions move. Both must be locked. Where both have
 * a description, that of the successor stays.
 */
export async function carryOver(change: Change, successions: Succession[]): Promise<void> {
  if (successions.length === 0) return;
  await change.tx.query(carry, columnsOf(successions, "from", "to", "grants"));
  change.searchable(successions.flatMap(({ from, to }) => [from, to]));
}
