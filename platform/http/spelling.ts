import { translatedKeys } from "#contract/ingestion/translate.ts";

/**
 * Translates the name of a query parameter: under `/api`, clients of the upstream ecosystem may write `oddrn`
 * for `catrn`. Keys of bodies are translated where bodies are read.
 */
export function ourSpelling(name: string, path: string): string {
  return path.startsWith("/api/") ? translatedKeys.get(name) ?? name : name;
}
