import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { PostgresqlSettings } from "#contract/connections/postgresql.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";
import { databaseChecks } from "../../relational.ts";
import { openConnection, type SourceConnection } from "./connect.ts";
import { stateOf } from "./history/state.ts";
import * as queries from "./queries.ts";

/** Oldest version that is read. */
const oldest = 120_000;

/** Tries a connection: reachable, signed in, version, and what may be read. */
export function checkDatabase(session: Session<PostgresqlSettings>): Promise<ConnectionCheck[]> {
  const { settings } = session;
  return databaseChecks(settings, () => openConnection(session), async (connection) => {
    const [facts] = await connection.reading(() =>
      connection.query<queries.ServerFacts>(queries.serverFacts)
    );
    const history = settings.query_history === "off" ? [] : [(await stateOf(connection)).note];
    return [version(facts!), role(facts!), await readable(connection, facts!), ...history];
  });
}

function version({ version, text }: queries.ServerFacts): ConnectionCheck {
  const detail = `PostgreSQL ${text}`;
  if (version >= oldest) return { name: "Version", outcome: "OK", detail };
  const remedy = "Versions before 12 are not supported";
  return { name: "Version", outcome: "FAILED", detail, remedy };
}

function role({ user, superuser }: queries.ServerFacts): ConnectionCheck {
  if (!superuser) return { name: "Role", outcome: "OK", detail: user };
  const remedy = "Use a role that may do less: it needs CONNECT on the database and nothing else";
  return { name: "Role", outcome: "WARNING", detail: `${user} is a superuser`, remedy };
}

/** Whether definitions of views can be read, without which there is no lineage. */
async function readable(
  connection: SourceConnection,
  { relations }: queries.ServerFacts,
): Promise<ConnectionCheck> {
  const detail = `${relations} tables and views`;
  try {
    await connection.reading(() => connection.query("SELECT ev_action FROM pg_rewrite LIMIT 1"));
    return { name: "Read", outcome: relations > 0 ? "OK" : "WARNING", detail };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const remedy = "Grant the user SELECT on pg_catalog.pg_rewrite for the lineage of views";
    return { name: "Read", outcome: "WARNING", detail: `${detail}, no definitions`, remedy };
  }
}
