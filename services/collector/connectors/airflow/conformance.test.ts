import { afterAll, beforeAll } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import type { Connector, Session } from "../../connector.ts";
import type { RecordedServer } from "../../testing/server.ts";
import { connectors } from "../all.ts";
import { airflowServer, airflowSession, failingSessions } from "./testing/server.ts";

type More = Parameters<typeof airflowSession>[1];

for (const version of [2, 3] as const) {
  let server: RecordedServer;
  beforeAll(async () => void (server = await airflowServer(version)));
  afterAll(() => server.close());
  const over = (more: More = {}) => airflowSession(server, more) as Session;
  connectorConformance(`Airflow ${version}`, () => ({
    connector: connectors.airflow as Connector,
    session: (more = {}) => over(more as More),
    failing: failingSessions(over, () => server.url),
    excluded: () => over({ settings: { exclude: ["*"] } }),
    slow: () => over({ settings: { url: `${server.url}/slow` }, statementTimeoutMs: 100 }),
  }));
}
