import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { MysqlSettings } from "#contract/connections/mysql.ts";
import type { Session } from "../../connector.ts";
import { databaseChecks } from "../../relational.ts";
import { openConnection } from "./connect.ts";
import * as queries from "./queries.ts";

/** Oldest major versions that are read. */
const oldest = { MariaDB: 10, MySQL: 8 };

/** Tries a connection: reachable, signed in, version, and what may be read. */
export function checkServer(session: Session<MysqlSettings>): Promise<ConnectionCheck[]> {
  return databaseChecks(session.settings, () => openConnection(session), async (connection) => {
    const [facts] = await connection.query<queries.ServerFacts>(queries.serverFacts);
    return [versionOf(facts!), readable(facts!)];
  });
}

function versionOf({ version }: queries.ServerFacts): ConnectionCheck {
  const system = /mariadb/i.test(version) ? "MariaDB" : "MySQL";
  const detail = `${system} ${version.split("-")[0]}`;
  if (parseInt(version) >= oldest[system]) return { name: "Version", outcome: "OK", detail };
  const remedy = "Versions before MySQL 8 and MariaDB 10 are not supported";
  return { name: "Version", outcome: "WARNING", detail, remedy };
}

function readable({ account, relations }: queries.ServerFacts): ConnectionCheck {
  const detail = `${account} sees ${relations} tables and views`;
  if (Number(relations) > 0) return { name: "Read", outcome: "OK", detail };
  const remedy = "Grant the user SELECT and SHOW VIEW on the databases to be read";
  return { name: "Read", outcome: "WARNING", detail, remedy };
}
