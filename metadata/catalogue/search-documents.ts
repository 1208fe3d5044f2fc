import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** What has a document that it is found by. */
export const documentKinds = ["term", "entity", "query_example", "lookup_table"] as const;
export type DocumentKind = (typeof documentKinds)[number];

const refreshing = {
  term: statement("refresh-term-documents")`SELECT refresh_term_documents($1)`,
  entity: statement("refresh-entity-documents")`SELECT refresh_search_documents($1)`,
  query_example: statement("refresh-query-example-documents")`
    SELECT refresh_query_example_documents($1)`,
  lookup_table: statement("refresh-lookup-documents")`SELECT refresh_lookup_documents($1)`,
} satisfies Record<DocumentKind, unknown>;

const queue = statement("queue-documents")`SELECT queue_search_documents($1, $2)`;

/** Maximum number of documents of a kind that follow within a change; more follow soon after. */
const refreshBatchSize = 500;

/** Rebuilds documents; locks what they are of, in id order. */
export async function refreshDocuments(
  tx: Transaction,
  kind: DocumentKind,
  ids: number[],
): Promise<void> {
  await tx.query(refreshing[kind], [ids]);
}

/** Rebuilds documents after a change: at once, or in the background where they are many. */
export async function followChange(
  tx: Transaction,
  kind: DocumentKind,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return;
  if (ids.length > refreshBatchSize) await tx.query(queue, [ids, kind]);
  else await refreshDocuments(tx, kind, ids);
}
