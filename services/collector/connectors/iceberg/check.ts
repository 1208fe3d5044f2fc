import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { IcebergSettings } from "#contract/connections/iceberg.ts";
import { failedCheck, type Session } from "../../connector.ts";
import { IcebergCatalog } from "./api.ts";

/** Most namespaces that a check counts. */
const maxCounted = 1_000;

/** Tries a connection: the catalog answers, takes the credentials, and lists namespaces. */
export async function checkCatalog(session: Session<IcebergSettings>): Promise<ConnectionCheck[]> {
  let catalog: IcebergCatalog;
  try {
    catalog = await IcebergCatalog.open(session);
  } catch (error) {
    return [failedCheck("Connect", error)];
  }
  const connect = { name: "Connect", outcome: "OK" as const, detail: "the catalog answers" };
  try {
    let count = 0;
    for await (const _ of catalog.namespaces([])) if (++count >= maxCounted) break;
    const detail = count < maxCounted ? `${count} namespaces` : `at least ${count} namespaces`;
    return [connect, { name: "Namespaces", outcome: "OK", detail }];
  } catch (error) {
    return [connect, failedCheck("Namespaces", error)];
  } finally {
    await catalog.close();
  }
}
