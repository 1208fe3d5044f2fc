import type { ConnectorName } from "#contract/connections/connectors.ts";
import type { Connector } from "../connector.ts";

/** What a connector does, in modules that are loaded when a connection first needs them. */
interface ConnectorModules {
  check: () => Promise<Connector["check"]>;
  read: () => Promise<Connector["read"]>;
}

/** A connector whose client library takes no memory until a connection uses it. */
function loadedLater({ check, read }: ConnectorModules, more: Partial<Connector> = {}): Connector {
  return {
    ...more,
    check: async (session) => await (await check())(session),
    async *read(session) {
      yield* (await read())(session);
    },
  };
}

/** Every connector, by its name in `contract/connections/connectors.ts`. */
export const connectors: Record<ConnectorName, Connector> = {
  postgresql: loadedLater({
    check: async () => (await import("./postgresql/check.ts")).checkDatabase,
    read: async () => (await import("./postgresql/read.ts")).readDatabase,
  }),
  mysql: loadedLater({
    check: async () => (await import("./mysql/check.ts")).checkServer,
    read: async () => (await import("./mysql/read.ts")).readServer,
  }),
  dbt: loadedLater({
    check: async () => (await import("./dbt/check.ts")).checkProject,
    read: async () => (await import("./dbt/read.ts")).readProject,
  }, { isSecondary: true }),
  kafka: loadedLater({
    check: async () => (await import("./kafka/check.ts")).checkCluster,
    read: async () => (await import("./kafka/read.ts")).readCluster,
  }),
  airflow: loadedLater({
    check: async () => (await import("./airflow/check.ts")).checkAirflow,
    read: async () => (await import("./airflow/read.ts")).readAirflow,
  }, { isSecondary: true, yieldsToEvents: true }),
  iceberg: loadedLater({
    check: async () => (await import("./iceberg/check.ts")).checkCatalog,
    read: async () => (await import("./iceberg/read.ts")).readCatalog,
  }, { isSecondary: true }),
  files: loadedLater({
    check: async () => (await import("./files/check.ts")).checkFiles,
    read: async () => (await import("./files/read.ts")).readFiles,
  }),
};
