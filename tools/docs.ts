import { mkdirSync, writeFileSync } from "node:fs";
import { configurationMarkdown } from "#platform/config/keys.ts";
import { publishedDocuments } from "#services/api/openapi.ts";
import { codeNamesSql } from "./code-names.ts";
import { dashboardFiles } from "./dashboards/all.ts";
import { datahubAspectsMarkdown } from "./datahub-aspects.ts";
import { decisionsMarkdown } from "./decisions.ts";
import { chartFiles } from "./helm/chart-files.ts";
import { licenceReport, licencesMarkdown, packagesOfProduct } from "./licences/report.ts";
import { limitsMarkdown } from "./limits.ts";
import { operationsMarkdown } from "./operations.ts";
import { permissionsMarkdown } from "./permissions.ts";
import { deviationsMarkdown } from "./published/markdown.ts";
import { clientTypes } from "./web/client-types.ts";
import { clientValues } from "./web/client-values.ts";
import { messageTypes } from "./web/messages.ts";

/** Every document, dashboard and type of the client that is generated, completely or in part, with their expected text. */
export async function generatedDocuments(): Promise<Record<string, string>> {
  const documents = publishedDocuments();
  const openApi = Object.entries(documents).map(([name, document]) => [
    `docs/openapi/${name}.json`,
    `${JSON.stringify(document, null, 2)}\n`,
  ]);
  return {
    ...Object.fromEntries(openApi),
    ...dashboardFiles(),
    "docs/integrate/datahub-aspects.md": datahubAspectsMarkdown(),
    "docs/decisions/README.md": decisionsMarkdown(),
    ...chartFiles(),
    "docs/operate/configuration.md": configurationMarkdown(),
    "docs/reference/deviations.md": deviationsMarkdown(),
    [licenceReport]: licencesMarkdown(await packagesOfProduct()),
    "docs/reference/limits.md": limitsMarkdown(),
    "docs/operate/operations.md": operationsMarkdown(),
    "docs/operate/permissions.md": permissionsMarkdown(),
    "metadata/schema/functions/code-names.sql": codeNamesSql(),
    "web/api/values.gen.ts": clientValues(),
    "web/messages/messages.gen.ts": messageTypes(),
    "web/api/paths.gen.ts": await clientTypes(documents.platform),
  };
}

if (import.meta.main) {
  mkdirSync("docs/openapi", { recursive: true });
  for (const [path, text] of Object.entries(await generatedDocuments())) {
    writeFileSync(path, text);
    console.log(`written ${path}`);
  }
}
