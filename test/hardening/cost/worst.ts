import { mebibyte } from "./case.ts";

/** One request of a hostile client. */
export interface WorstBody {
  url: string;
  body: string;
  gzip: boolean;
  type: string;
}

const json = "application/json";

/** The worst body of each kind, all of them the size that is taken at most. */
export function worstOf({ url, otlp }: { url: string; otlp: string }): WorstBody[] {
  const list = (before: string, unit: string, after: string, bytes: number) =>
    before + unit.repeat(Math.floor((bytes - 200) / unit.length)).slice(0, -1) + after;
  const items = (path: string): WorstBody => ({
    url: `${url}/ingestion/${path}`,
    body: list('{"items":[', "{},", "]}", 20 * mebibyte),
    gzip: true,
    type: json,
  });
  const spans = (unit: string): WorstBody => ({
    url: `${otlp}/v1/traces`,
    body: list('{"resourceSpans":[{"scopeSpans":[{"spans":[', unit, "]}]}]}", 16 * mebibyte),
    gzip: true,
    type: json,
  });
  return [
    items("entities"),
    items("datasources"),
    items("entities/datasets/stats"),
    items("metrics"),
    { ...items("alerts"), body: list('{"items":[', "{},", "]}", 5 * mebibyte) },
    { ...items("alert/alertrouter"), body: list('{"alerts":[', "{},", "]}", 5 * mebibyte) },
    spans("{},"),
    spans('{"attributes":[{}]},'),
    {
      url: `${url}/api/dataentitygroups`,
      body: list('{"name":"g","entities":[', "{},", "]}", 5 * mebibyte),
      gzip: false,
      type: json,
    },
    {
      url: `${url}/api/search`,
      body: JSON.stringify({ query: "aA ".repeat(33_000), filters: {} }),
      gzip: false,
      type: json,
    },
  ];
}
