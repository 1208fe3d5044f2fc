import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { connectorConformance } from "#test/conformance/connector.ts";
import type { Connector, Session } from "../../connector.ts";
import { type RecordedServer, recordedServer } from "../../testing/server.ts";
import { connectors } from "../all.ts";
import { dbtSession, target } from "./testing/session.ts";

type More = Parameters<typeof dbtSession>[0];

let server: RecordedServer;
beforeAll(async () => {
  server = await recordedServer((request, path) => {
    if (path.startsWith("/slow/")) return null;
    if (request.headers.authorization !== "Bearer s3cret-token") return 401;
    return path.startsWith("/target/") ? readFileSync(join(target, path.slice(8)), "utf8") : 404;
  });
});
afterAll(() => server.close());

const over = ({ settings, ...more }: NonNullable<More> = {}) =>
  dbtSession({ settings: { location: `${server.url}/target`, ...settings }, ...more }) as Session;
const at = (location: string) => over({ settings: { location } });

connectorConformance("dbt", () => ({
  connector: connectors.dbt as Connector,
  session: (more = {}) => over(more as More),
  failing: {
    "wrong token": () => over({ secrets: new Map([["token", "not-the-s3cret"]]) }),
    "no manifest": () => at(`${server.url}/elsewhere`),
    "unreachable": () => at("http://127.0.0.1:1/target"),
    "a folder that is not allowed": () => at("/etc"),
  },
  excluded: () => over({ settings: { exclude: ["*"] } }),
  slow: () => over({ settings: { location: `${server.url}/slow` }, statementTimeoutMs: 100 }),
}));
