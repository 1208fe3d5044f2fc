import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FilesSettings } from "#contract/connections/files.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { Session } from "../../../connector.ts";
import { plainSession } from "../../../testing/source.ts";

export const secretKey = "s3cret-key-of-the-bucket";

/** A file of Parquet with most types, as DuckDB writes it. */
export const parquet = new Uint8Array(readFileSync(new URL("orders.parquet", import.meta.url)));

/** Files of a lake by their key. */
export const lakeFiles = (): Map<string, Uint8Array> => {
  const text = (value: string) => new TextEncoder().encode(value);
  return new Map([
    ["raw/orders/dt=2030-01-01/part-0.parquet", parquet],
    ["raw/orders/dt=2030-01-02/part-0.parquet", parquet],
    ["raw/orders/_SUCCESS", text("")],
    ["raw/visits/part-00000.csv", text("id;page\n1;/a\n2;/b\n")],
    ["raw/visits/part-00001.csv", text("id;page\n3;/c\n")],
    ["raw/list of ü & <x>.jsonl", text('{"id":1,"to":{"city":"Bern"}}\n')],
    ["raw/readme.md", text("# Words")],
    ["other/a.csv", text("x\n1\n")],
  ]);
};

/** A server that speaks as much of S3 as is read: lists of two keys, ranges, and keys in the header. */
export async function bucketServer(files = lakeFiles()) {
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!, "http://localhost");
    requests.push(`${url.pathname}${url.search} ${request.headers.range ?? ""}`.trim());
    if (url.pathname.startsWith("/slow/")) return;
    const isSigned = /^AWS4-HMAC-SHA256 Credential=reader\/\d{8}\/us-east-1\/s3\/aws4_request/
      .test(request.headers.authorization ?? "");
    if (!isSigned) return void response.writeHead(403).end();
    if (!url.pathname.startsWith("/lake/")) return void response.writeHead(404).end();
    const key = decodeURIComponent(url.pathname.slice("/lake/".length));
    if (key === "") return void response.end(listOf(files, url));
    const bytes = files.get(key);
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (!bytes) return void response.writeHead(404).end();
    response.writeHead(206).end(bytes.subarray(Number(from), Number(to) + 1));
  };
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function listOf(files: Map<string, Uint8Array>, { searchParams }: URL): string {
  const prefix = searchParams.get("prefix") ?? "";
  const keys = [...files.keys()].filter((key) => key.startsWith(prefix)).sort();
  const from = Number(searchParams.get("continuation-token") ?? 0);
  const contents = keys.slice(from, from + 2).map((key) =>
    `<Contents><Key>${encodeURIComponent(key).replaceAll("%20", "+")}</Key>` +
    `<LastModified>2030-01-01T00:00:00.000Z</LastModified><Size>${
      files.get(key)!.length
    }</Size></Contents>`
  );
  const next = from + 2 < keys.length
    ? `<NextContinuationToken>${from + 2}</NextContinuationToken>`
    : "";
  return `<?xml version="1.0"?><ListBucketResult>${contents.join("")}${next}</ListBucketResult>`;
}

/** A session over such a bucket, or over folders. */
export function filesSession(
  settings: Partial<FilesSettings>,
  more: Partial<Omit<Session<FilesSettings>, "settings">> = {},
): Session<FilesSettings> {
  const parsed = FilesSettings.parse({ paths: ["raw/"], ...settings });
  return {
    ...plainSession(),
    settings: parsed,
    secrets: new Map([["secret_key", secretKey]]),
    source: sourceCatrn("files", parsed),
    ...more,
  };
}
