import type { ConnectorName } from "#contract/connections/connectors.ts";
import type { Connector } from "../connector.ts";
import { checkProject } from "./dbt/check.ts";
import { readProject } from "./dbt/read.ts";
import { checkCluster } from "./kafka/check.ts";
import { readCluster } from "./kafka/read.ts";
import { checkServer } from "./mysql/check.ts";
import { readServer } from "./mysql/read.ts";
import { checkDatabase } from "./postgresql/check.ts";
import { readDatabase } from "./postgresql/read.ts";

/** Every connector, by its name in `contract/connections/connectors.ts`. */
export const connectors: Record<ConnectorName, Connector> = {
  postgresql: { check: checkDatabase, read: readDatabase },
  mysql: { check: checkServer, read: readServer },
  dbt: { isSecondary: true, check: checkProject, read: readProject },
  kafka: { check: checkCluster, read: readCluster },
};
