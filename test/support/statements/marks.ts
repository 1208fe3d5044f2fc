import type { Database } from "#metadata/postgres/database.ts";
import type { Rows } from "#test/support/statements/rows.ts";

/** Query examples of a world: one is attached to its members, all are attached to its dataset; a user has marked all. */
export async function seedMarks(
  db: Database,
  w: { n: number; dataset: number; members: number[]; user: string },
): Promise<number> {
  const made = await db.query<{ id: number }>(
    `INSERT INTO query_example (definition, query)
     SELECT 'example of ' || $1, 'SELECT 1' FROM generate_series(1, $2) RETURNING id`,
    [w.user, w.n],
  );
  const ids = made.map(({ id }) => id);
  await db.query(
    `INSERT INTO entity_query_example
     SELECT m, $2 FROM unnest($1::bigint[]) m UNION SELECT $3, e FROM unnest($4::bigint[]) e`,
    [w.members, ids[0], w.dataset, ids],
  );
  await db.query(
    "INSERT INTO term_query_example SELECT id, $1 FROM term ORDER BY id LIMIT $2",
    [ids[0], w.n],
  );
  for (const table of ["favorite", "recently_viewed"]) {
    await db.query(
      `INSERT INTO ${table} (username, provider, entity_id) SELECT $1, '', unnest($2::bigint[])`,
      [w.user, w.members],
    );
    await db.query(
      `INSERT INTO ${table} (username, provider, example_id) SELECT $1, '', unnest($2::bigint[])`,
      [w.user, ids],
    );
  }
  return ids[0]!;
}

const refs = (members: number[]) =>
  members.map((asset_id) => ({ asset_kind: "DATA_ENTITY", asset_id }));

/** Operations on query examples and on what people mark for themselves. */
export const marks: Rows = {
  getQueryExampleList: (w) => `/api/queryexample?${w.page}&query=example`,
  getQueryExampleDetails: (w) => `/api/queryexample/${w.example}`,
  getQueryExampleByDatasetId: (w) => `/api/queryexample/dataset/${w.dataset}`,
  getQueryExampleSearchSuggestions: () => "/api/queryexample/search/suggestions?query=example",
  updateQueryExample: (w) => [
    "PUT",
    `/api/queryexample/${w.example}`,
    { definition: `changed ${w.round}`, query: "SELECT 2" },
  ],
  getFavoritesList: (w) => `/api/favorites/list?${w.page}`,
  getFavoriteStatus: (w) => ["POST", "/api/favorites/status", refs(w.members)],
  addFavorite: (w) => ["PUT", `/api/favorites/DATA_ENTITY/${w.dataset}`],
  getRecentlyViewedList: (w) => `/api/recently-viewed/list?${w.page}`,
  getRecentlyViewedStatus: (w) => ["POST", "/api/recently-viewed/status", refs(w.members)],
  recordRecentlyViewed: (w) => ["POST", `/api/recently-viewed/DATA_ENTITY/${w.dataset}`],
  getIntegrationPreviews: () => "/api/integrations",
};
