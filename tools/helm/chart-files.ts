import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import { z } from "zod";
import { version } from "#platform/version.ts";
import { dashboardFiles } from "../dashboards/all.ts";
import { permissions, serviceArguments, serviceNames } from "../services.mjs";
import { configSchema, secretVariables } from "./config-schema.ts";
import { valuesMarkdown } from "./values-document.ts";
import { Values } from "./values.ts";

/** The folder of the chart. */
export const chart = "ops/helm/tributary";

/** Files of the chart that are made from other files of this repository, by their paths. */
export function chartFiles(): Record<string, string> {
  const dashboards = Object.entries(dashboardFiles()).map(([path, text]) => [
    path.replace(/^ops\/grafana/, `${chart}/files`),
    text,
  ]);
  return {
    [`${chart}/Chart.yaml`]: chartDescription(),
    [`${chart}/README.md`]: valuesMarkdown(valuesSchema(), `${chart}/values.yaml`),
    [`${chart}/values.schema.json`]: `${JSON.stringify(valuesSchema(), null, 2)}\n`,
    [`${chart}/files/services.json`]: `${JSON.stringify(containers(), null, 2)}\n`,
    [`${chart}/files/alerts.yml`]: readFileSync("ops/alerts.yml", "utf8"),
    ...Object.fromEntries(dashboards),
  };
}

function chartDescription(): string {
  return stringify({
    apiVersion: "v2",
    name: "tributary",
    description: "A data catalogue whose lineage graph is fed by streams",
    type: "application",
    version,
    appVersion: version,
    kubeVersion: ">=1.30.0-0",
  });
}

/** Arguments of each container, as docker-compose.yml has them, and of the Job that applies the schema. */
function containers(): Record<string, { args: string[] }> {
  const services = serviceNames.filter((name) => name !== "all")
    .map((name) => [name, { args: serviceArguments(name) }]);
  // What a service that writes nothing may do suffices.
  const migrate = ["run", ...permissions("notifier"), "tools/migrate.ts"];
  return { ...Object.fromEntries(services), migrate: { args: migrate } };
}

/** The JSON schema of the values; helm refuses what does not fit it. */
export function valuesSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(Values, { target: "draft-7" }) as {
    properties: Record<string, Record<string, unknown>>;
  };
  const { properties } = schema;
  const items = properties.secretEnvironment!.items as typeof schema;
  items.properties.name!.pattern = secretVariables().source;
  return { ...schema, properties: { ...properties, config: configSchema() } };
}
