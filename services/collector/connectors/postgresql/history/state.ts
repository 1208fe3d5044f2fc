import type { ConnectionCheck } from "#contract/connections/connection.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { concernsObject, type SourceConnection } from "../connect.ts";
import * as queries from "./queries.ts";

/** What of the query history can be read. */
interface HistoryState {
  /** Null where nothing can be read, and `note` says why. */
  facts: queries.HistoryFacts | null;
  note: ConnectionCheck;
}

const name = "Query history";

/** Whether the server has a query history and lets the user read it. */
export async function stateOf(connection: SourceConnection): Promise<HistoryState> {
  try {
    const [facts] = await connection.reading(() =>
      connection.query<queries.HistoryFacts>(queries.historyFacts)
    );
    if (facts!.schema === null) return absent;
    if (!facts!.readable) return unreadable;
    await connection.reading(() => connection.query(queries.probe(facts!)));
    return {
      facts: facts!,
      note: { name, outcome: "OK", detail: "pg_stat_statements is readable" },
    };
  } catch (error) {
    if (!(error instanceof SourceError) || !concernsObject(error)) throw error;
    return { facts: null, note: warning(`It cannot be read: ${error.reason}`, notLoaded) };
  }
}

const warning = (detail: string, remedy: string): ConnectionCheck => ({
  name,
  outcome: "WARNING",
  detail,
  remedy,
});

const notLoaded =
  "Add pg_stat_statements to shared_preload_libraries and restart the server, or switch query history off";

const absent: HistoryState = {
  facts: null,
  note: warning(
    "pg_stat_statements is not installed in this database: no lineage of statements and no usage",
    "CREATE EXTENSION pg_stat_statements, or switch query history off",
  ),
};

const unreadable: HistoryState = {
  facts: null,
  note: warning(
    "The user does not see statements of other roles: no lineage of statements and no usage",
    "GRANT pg_read_all_stats to the user, or switch query history off",
  ),
};
