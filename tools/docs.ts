import { mkdirSync, writeFileSync } from "node:fs";
import { configurationMarkdown } from "#platform/config/document.ts";
import { publishedDocuments } from "#services/api/documents.ts";
import { limitsMarkdown } from "./limits.ts";
import { permissionsMarkdown } from "./permissions.ts";
import { deviationsMarkdown } from "./published/markdown.ts";

/** Every file of `docs/` that is generated, completely or in part, with its expected text. */
export function generatedDocuments(): Record<string, string> {
  const openApi = Object.entries(publishedDocuments()).map(([name, document]) => [
    `docs/openapi/${name}.json`,
    `${JSON.stringify(document, null, 2)}\n`,
  ]);
  return {
    ...Object.fromEntries(openApi),
    "docs/configuration.md": configurationMarkdown(),
    "docs/deviations.md": deviationsMarkdown(),
    "docs/limits.md": limitsMarkdown(),
    "docs/permissions.md": permissionsMarkdown(),
  };
}

if (import.meta.main) {
  mkdirSync("docs/openapi", { recursive: true });
  for (const [path, text] of Object.entries(generatedDocuments())) {
    writeFileSync(path, text);
    console.log(`written ${path}`);
  }
}
