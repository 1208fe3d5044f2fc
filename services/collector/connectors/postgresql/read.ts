import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import type { Finding, Session } from "../../connector.ts";
import { isIncluded } from "../../patterns.ts";
import { connected, type SourceConnection } from "./connect.ts";
import { readHistory } from "./history/read.ts";
import { foreignKeyItems, type RelationFacts, relationItem } from "./items.ts";
import { isView, plainName, relationCatrn } from "./names.ts";
import { factsOf, type PageViews, viewsOf } from "./page.ts";
import * as queries from "./queries.ts";

/** Relations of a page: as much of the source as is in memory. */
export const pageSize = 100;

/** Reads a database page by page, in the order of oids, each page in a short transaction of its own, then its query history. */
export async function* readDatabase(
  session: Session<PostgresqlSettings>,
): AsyncGenerator<Finding> {
  const pages = new PageReader(session);
  try {
    for (let page = await pages.next(); page !== null; page = await pages.next()) yield* page;
    yield* readHistory(await pages.connection, session);
  } finally {
    await pages.close();
  }
}

/** Keeps the connection open between pages, since a generator cannot yield from within `connected`. */
class PageReader {
  #last = 0;
  readonly connection: Promise<SourceConnection>;
  #release = () => {};
  #closed: Promise<void>;

  constructor(private readonly session: Session<PostgresqlSettings>) {
    const opened = Promise.withResolvers<SourceConnection>();
    const released = Promise.withResolvers<void>();
    this.#release = released.resolve;
    this.connection = opened.promise;
    this.#closed = connected(session, (connection) => {
      opened.resolve(connection);
      return released.promise;
    }).catch(opened.reject);
  }

  async next(): Promise<Finding[] | null> {
    const connection = await this.connection;
    const { settings, source } = this.session;
    const [found, facts] = await connection.reading(async () => {
      const found = await connection.query<queries.Relation>(
        queries.relations,
        [this.#last, pageSize],
      );
      const wanted = found.filter((one) => isIncluded(plainName(one), settings));
      return [found, wanted.length > 0 ? await factsOf(connection, wanted) : []] as const;
    });
    const last = found.at(-1);
    if (!last) return null;
    this.#last = last.oid;
    const views = await viewsOf(connection, source, facts);
    return facts.flatMap((one) => findingsOf(source, one, views));
  }

  async close(): Promise<void> {
    this.#release();
    await this.#closed;
  }
}

function findingsOf(source: string, facts: RelationFacts, views: PageViews): Finding[] {
  const { relation, columns } = facts;
  const broken = views.broken.get(relation.oid);
  if (broken) {
    const { reason, remedy } = broken;
    const problem = { object: plainName(relation), reason, remedy };
    return [{ kind: "problem", problem, catrn: relationCatrn(source, relation) }];
  }
  const view = views.known.get(relation.oid);
  // It was dropped meanwhile.
  if (isView(relation) ? !view : columns.length === 0 && relation.kind === "f") return [];
  return [relationItem(source, facts, view), ...foreignKeyItems(source, facts)]
    .map((item) => ({ kind: "item", item }));
}
