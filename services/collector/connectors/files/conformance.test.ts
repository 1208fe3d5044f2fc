import { afterAll, beforeAll } from "vitest";
import type { FilesSettings } from "#contract/connections/files.ts";
import { connectorConformance } from "#test/conformance/connector.ts";
import type { Connector, Session } from "../../connector.ts";
import { refusedHosts } from "../../testing/hosts.ts";
import { connectors } from "../all.ts";
import { bucketServer, filesSession } from "./testing/bucket.ts";

let server: Awaited<ReturnType<typeof bucketServer>>;
beforeAll(async () => void (server = await bucketServer()));
afterAll(() => server.close());

const over = (settings: Partial<FilesSettings> = {}, more: Partial<Session> = {}) =>
  filesSession(
    { bucket: "lake", endpoint: server.url, access_key: "reader", ...settings },
    more as Parameters<typeof filesSession>[1],
  ) as Session;

connectorConformance("Files", () => ({
  connector: connectors.files as Connector,
  session: (more = {}) => over({}, more),
  failing: {
    "wrong key": () => over({ access_key: "other" }),
    "no such bucket": () => over({ bucket: "other" }),
    "unreachable": () => over({ endpoint: "http://127.0.0.1:1" }),
    "a folder that is not allowed": () => over({ bucket: undefined, paths: ["/etc"] }),
    ...refusedHosts((endpoint, address) => over({ endpoint }, { address })),
  },
  excluded: () => over({ exclude: ["*"] }),
  slow: () => over({ endpoint: `${server.url}/slow` }, { statementTimeoutMs: 100 }),
}));
