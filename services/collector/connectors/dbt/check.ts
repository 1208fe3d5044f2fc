import type { ConnectionCheck } from "#contract/connections/connection.ts";
import type { DbtSettings } from "#contract/connections/dbt.ts";
import { catrnsOf } from "#platform/naming/openlineage/names.ts";
import { failedCheck, type Session } from "../../connector.ts";
import { artifactsOf } from "./artifacts.ts";
import { type ManifestFacts, readFacts, requireManifest } from "./manifest.ts";

/** Tries a connection: the manifest is there and can be read, and tables of the warehouse have names. */
export async function checkProject(session: Session<DbtSettings>): Promise<ConnectionCheck[]> {
  const artifacts = artifactsOf(session);
  try {
    const facts = requireManifest(await readFacts(artifacts));
    const detail = `manifest v${facts.version} of dbt ${facts.dbt}`;
    return [{ name: "Manifest", outcome: "OK", detail }, warehouse(session, facts)];
  } catch (error) {
    return [failedCheck("Manifest", error)];
  } finally {
    await artifacts.close();
  }
}

/** Whether the names of tables follow a rule: without one they meet no other source. */
function warehouse(
  { settings, naming }: Session<DbtSettings>,
  { adapter }: ManifestFacts,
): ConnectionCheck {
  const namespace = settings.warehouse;
  const { generic } = catrnsOf({ namespace, name: "database.schema.table" }, naming);
  const name = "Warehouse";
  if (generic) {
    const remedy = "Enter the namespace that OpenLineage prescribes, such as postgres://host:5432";
    const detail = `no rule names tables of ${namespace}`;
    return { name, outcome: "WARNING", detail, remedy };
  }
  if (adapter === "" || namespace.toLowerCase().startsWith(adapter)) {
    return { name, outcome: "OK", detail: namespace };
  }
  const remedy = "Check that the tables of the project are in this warehouse";
  const detail = `${namespace}, while dbt used its adapter ${adapter}`;
  return { name, outcome: "WARNING", detail, remedy };
}
