import type { IncomingMessage } from "node:http";
import { IcebergSettings } from "#contract/connections/iceberg.ts";
import { sourceCatrn } from "#platform/connections/kinds.ts";
import type { Session } from "../../../connector.ts";
import { type RecordedServer, recordedServer } from "../../../testing/server.ts";
import { plainSession } from "../../../testing/source.ts";
import { orders } from "./orders.ts";

export const secret = "s3cret-of-the-client";
const token = "s3cret-token-of-iceberg";

/** Tables by `namespace.table`, as `LoadTableResult` of the published interface; a number is a status. */
export type Lake = Map<string, unknown>;

/** A table of one column, at a location. */
export const plainTable = (location: string | null) => ({
  "metadata-location": "s3://lake/metadata/00001.metadata.json",
  metadata: {
    "format-version": 2,
    "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    ...(location === null ? {} : { location }),
    schemas: [{
      type: "struct",
      "schema-id": 0,
      fields: [{ id: 1, name: "id", required: true, type: "long" }],
    }],
    "current-schema-id": 0,
    snapshots: [],
    "current-snapshot-id": -1,
  },
});

export const lake = (): Lake =>
  new Map<string, unknown>([
    ["sales.orders", orders],
    ["sales.stock", plainTable("s3a://lake/warehouse/sales/stock")],
    ["sales.emea.customers", plainTable("file:/srv/warehouse/customers")],
    ["tmp.scratch", plainTable(null)],
  ]);

/** Answers of one page each, so that every list has several. */
function pageOf<T>(all: T[], url: URL): { page: T[]; next: string | null } {
  const at = Number(url.searchParams.get("pageToken") || "0");
  return { page: all.slice(at, at + 1), next: at + 1 < all.length ? String(at + 1) : null };
}

function answerOf(tables: Lake, url: URL, divider: string): unknown {
  const names = [...tables.keys()].map((name) => name.split("."));
  const [, , levels, , name] = url.pathname.replace("/ice/v1/main/", "/").split("/")
    .map(decodeURIComponent);
  if (levels === undefined) {
    const parent = url.searchParams.get("parent")?.split(divider) ?? [];
    const below = names.filter((one) =>
      one.length > parent.length + 1 && parent.every((level, at) => one[at] === level)
    );
    const found = new Set(below.map((one) => one.slice(0, parent.length + 1).join(divider)));
    const { page, next } = pageOf([...found].sort(), url);
    return { namespaces: page.map((one) => one.split(divider)), "next-page-token": next };
  }
  const namespace = levels.split(divider);
  if (name !== undefined) return tables.get([...namespace, name].join(".")) ?? 404;
  const inside = names.filter((one) => one.slice(0, -1).join(divider) === levels);
  const { page, next } = pageOf(inside.map((one) => one.at(-1)!).sort(), url);
  const identifiers = page.map((one) => ({ namespace, name: one }));
  return { identifiers, ...(next === null ? {} : { "next-page-token": next }) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

/** A catalog below `/ice` that wants a token; under `/slow` it never answers. `separator`: one that it names itself. */
export function icebergServer(
  tables: Lake = lake(),
  separator?: string,
): Promise<RecordedServer> {
  return recordedServer(async (request, path) => {
    if (path.startsWith("/slow/")) return null;
    if (!path.startsWith("/ice/v1/")) return 404;
    if (path === "/ice/v1/oauth/tokens") {
      const form = new URLSearchParams(await bodyOf(request));
      const isRight = form.get("grant_type") === "client_credentials" &&
        form.get("client_id") === "reader" && form.get("client_secret") === secret &&
        form.get("scope") === "catalog";
      return isRight ? { access_token: token, token_type: "bearer", expires_in: 3600 } : 400;
    }
    if (request.headers.authorization !== `Bearer ${token}`) return 401;
    const url = new URL(request.url!, "http://localhost");
    if (path === "/ice/v1/config") {
      const isKnown = url.searchParams.get("warehouse") === "lake";
      const own = separator === undefined ? {} : { "namespace-separator": separator };
      return isKnown ? { defaults: {}, overrides: { prefix: "main", ...own } } : 404;
    }
    return answerOf(tables, url, decodeURIComponent(separator ?? "%1F"));
  });
}

/** A session over such a server. */
export function icebergSession(
  server: Pick<RecordedServer, "url">,
  more: Partial<Omit<Session<IcebergSettings>, "settings">> & {
    settings?: Partial<IcebergSettings>;
  } = {},
): Session<IcebergSettings> {
  const { settings: given, ...rest } = more;
  const base = { url: `${server.url}/ice`, warehouse: "lake", client_id: "reader" };
  const settings = IcebergSettings.parse({ ...base, ...given });
  return {
    ...plainSession(),
    settings,
    secrets: new Map([["client_secret", secret]]),
    source: sourceCatrn("iceberg", settings),
    ...rest,
  };
}
