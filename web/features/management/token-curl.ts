// deno-lint-ignore-file house/interface-text -- a command of a shell
/** Where this server answers, without a slash at the end. */
const here = () => new URL(".", document.baseURI).href.replace(/\/$/, "");

/** Text between single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(path: string, token: string, body?: object): string {
  const lines = [
    `curl -i ${body ? "-X POST " : ""}${quoted(here() + path)}`,
    `  -H ${quoted(`authorization: Bearer ${token}`)}`,
    ...body
      ? ["  -H 'content-type: application/json'", `  -d ${quoted(JSON.stringify(body, null, 2))}`]
      : [],
  ];
  return lines.join(" \\\n");
}

const table = (source: string) => ({
  catrn: `${source}/tables/example`,
  name: "example",
  type: "TABLE",
  dataset: { field_list: [] },
});

/** Posts a table of a data source. */
export function sourceCurl(token: string, { catrn }: { catrn: string }): string {
  const items = [table(catrn)];
  return curl("/ingestion/entities", token, { data_source_catrn: catrn, items });
}

/** Registers a data source of a collector, and posts a table of it. */
export function collectorCurl(token: string): string {
  const source = "//postgresql/host/db.example/databases/shop";
  const register = curl("/ingestion/datasources", token, {
    items: [{ catrn: source, name: "shop" }],
  });
  return `${register}\n${sourceCurl(token, { catrn: source })}`;
}

/** Reads who the token belongs to. */
export const personalCurl = (token: string): string => curl("/api/identity/whoami", token);
