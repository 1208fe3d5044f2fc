import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireAnswer, type SourceServer, startSourceServer } from "./server.ts";
import { jarsOf } from "../../../tools/engines/jars.mjs";

const here = fileURLToPath(new URL("iceberg", import.meta.url));

/** What divides the levels of a namespace in addresses of this server. */
const separator = "%2E";

/** A catalog of Apache Iceberg's own REST server, which keeps tables in memory as if they were in the bucket `lake`. */
export interface IcebergServer extends SourceServer {
  createNamespace(levels: string[]): Promise<void>;
  /** Creates a table; `more`: other members of the request, such as `partition-spec`. */
  createTable(levels: string[], name: string, schema: object, more?: object): Promise<void>;
  /** Commits changes of a table, as the interface has them. */
  commit(levels: string[], name: string, updates: object[]): Promise<void>;
  dropTable(levels: string[], name: string): Promise<void>;
}

/** Starts a catalog without namespaces. Call `stop` in `afterAll`. */
export async function startIceberg(): Promise<IcebergServer> {
  const jars = await jarsOf("iceberg", join(here, "pom.xml"));
  const server = await startSourceServer({
    name: "iceberg",
    command: (folder) => [
      ...["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
      ...[`-Dorg.slf4j.simpleLogger.defaultLogLevel=warn`, `-Djava.io.tmpdir=${folder}`],
      ...["-cp", join(jars, "*"), "org.apache.iceberg.rest.RESTCatalogServer"],
    ],
    env: (_, port) => ({
      CATALOG_REST_PORT: String(port),
      CATALOG_IO__IMPL: "org.apache.iceberg.inmemory.InMemoryFileIO",
      CATALOG_WAREHOUSE: "s3://lake/warehouse",
    }),
    answers: (url) => requireAnswer(`${url}/v1/config`),
  });
  return { ...server, ...changesOf(server.url) };
}

function changesOf(url: string) {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/v1/namespaces${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  };
  const tables = (levels: string[]) => `/${levels.map(encodeURIComponent).join(separator)}/tables`;
  const table = (levels: string[], name: string) => `${tables(levels)}/${encodeURIComponent(name)}`;
  return {
    createNamespace: (namespace: string[]) => send("POST", "", { namespace }),
    createTable: (levels: string[], name: string, schema: object, more: object = {}) =>
      send("POST", tables(levels), { name, schema, ...more }),
    commit: (levels: string[], name: string, updates: object[]) =>
      send("POST", table(levels, name), { requirements: [], updates }),
    dropTable: (levels: string[], name: string) => send("DELETE", table(levels, name)),
  };
}
