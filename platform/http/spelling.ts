import { translatedKeys } from "#contract/ingestion/translate.ts";

/**
 * The name that a parameter of a query goes by here: under `/api` clients of the upstream ecosystem may
 * spell `oddrn` what is `catrn`. Keys of bodies are translated where bodies are taken.
 */
export function ourSpelling(name: string, path: string): string {
  return path.startsWith("/api/") ? translatedKeys.get(name) ?? name : name;
}
