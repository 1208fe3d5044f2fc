import { afterAll, beforeAll } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import type { Connector, Session } from "../../connector.ts";
import { refusedHosts } from "../../testing/hosts.ts";
import type { RecordedServer } from "../../testing/server.ts";
import { connectors } from "../all.ts";
import { icebergServer, icebergSession } from "./testing/server.ts";

type More = Parameters<typeof icebergSession>[1];

let server: RecordedServer;
beforeAll(async () => void (server = await icebergServer()));
afterAll(() => server.close());
const over = (more: More = {}) => icebergSession(server, more) as Session;

connectorConformance("Iceberg", () => ({
  connector: connectors.iceberg as Connector,
  session: (more = {}) => over(more as More),
  failing: {
    "wrong secret": () => over({ secrets: new Map([["client_secret", "not-the-s3cret"]]) }),
    "wrong token": () => over({ secrets: new Map([["token", "not-the-s3cret"]]) }),
    "no catalog": () => over({ settings: { url: `${server.url}/elsewhere` } }),
    "no such warehouse": () => over({ settings: { warehouse: "other" } }),
    "unreachable": () => over({ settings: { url: "http://127.0.0.1:1" } }),
    ...refusedHosts((url, address) => over({ settings: { url }, address })),
    ...refusedHosts((oauth_url, address) => over({ settings: { oauth_url }, address })),
  },
  excluded: () => over({ settings: { exclude: ["*"] } }),
  slow: () => over({ settings: { url: `${server.url}/slow` }, statementTimeoutMs: 100 }),
}));
