import { z } from "zod";
import type { IcebergSettings } from "#contract/connections/iceberg.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";
import { answerOf, SourceHttp, StatusError, unlessStatus } from "../../http.ts";

/** Page size of listings. */
const pageSize = 100;

/** Most pages of one list, so that a server cannot go on endlessly. */
export const maxPages = 10_000;

/** What answers, for messages. */
const server = "an Iceberg catalog";

/** What divides the levels of a namespace in an address, percent-encoded, where the server names nothing else. */
const unitSeparator = "%1F";

/** A catalog with the REST interface of Iceberg. Each call throws a `SourceError`. */
export class IcebergCatalog {
  private constructor(
    private readonly http: SourceHttp,
    private readonly root: string,
    /** Percent-encoded, as paths have it. */
    private readonly separator: string,
  ) {}

  /** Signs in, and asks for the prefix of all further paths. */
  static async open(session: Session<IcebergSettings>): Promise<IcebergCatalog> {
    const { url: base, ca, warehouse } = session.settings;
    const authorization = await authorizationOf(session);
    const http = new SourceHttp(session, { base, authorization, ca });
    try {
      const query = warehouse ? `?${new URLSearchParams({ warehouse })}` : "";
      const answer = await http.json(`v1/config${query}`);
      const { defaults, overrides } = answerOf(server, Config, answer, "v1/config");
      const given = new Map(Object.entries({ ...defaults, ...overrides }));
      const separator = separatorOf(given.get("namespace-separator"));
      return new IcebergCatalog(http, rootOf(given.get("prefix")), separator);
    } catch (error) {
      await http.close();
      throw error;
    }
  }

  /** The namespaces directly below one, or at the top. */
  async *namespaces(parent: string[]): AsyncGenerator<string[]> {
    const query: Record<string, string> = parent.length > 0
      ? { parent: parent.join(decodeURIComponent(this.separator)) }
      : {};
    const isBelow = (levels: string[]) =>
      levels.length === parent.length + 1 && parent.every((level, at) => levels[at] === level);
    for await (const page of this.#pages("namespaces", Namespaces, query)) {
      // Some servers name all below, or know no parents.
      yield* page.namespaces.filter(isBelow);
    }
  }

  /** Names of the tables of a namespace. */
  async *tables(namespace: string[]): AsyncGenerator<string> {
    for await (const page of this.#pages(`${this.#path(namespace)}/tables`, Tables, {})) {
      for (const { name } of page.identifiers) yield name;
    }
  }

  /** A table without old snapshots; null when it is gone meanwhile. */
  async table(namespace: string[], name: string): Promise<TableMetadata | null> {
    const path = `${this.#path(namespace)}/tables/${encodeURIComponent(name)}`;
    const answer = await unlessStatus(this.http.json(`${this.root}/${path}?snapshots=refs`));
    if (answer === null) return null;
    return answerOf(server, Table, answer, [...namespace, name].join(".")).metadata;
  }

  close(): Promise<void> {
    return this.http.close();
  }

  #path(namespace: string[]): string {
    return `namespaces/${namespace.map(encodeURIComponent).join(this.separator)}`;
  }

  async *#pages<P extends { "next-page-token"?: string | null | undefined }>(
    path: string,
    schema: z.ZodType<P>,
    given: Record<string, string>,
  ): AsyncGenerator<P> {
    let token = "";
    for (let page = 0; page < maxPages; page++) {
      const query = new URLSearchParams({ ...given, pageToken: token, pageSize: String(pageSize) });
      const answer = await this.http.json(`${this.root}/${path}?${query}`);
      const found = answerOf(server, schema, answer, path);
      yield found;
      const next = found["next-page-token"] ?? "";
      if (next === "" || next === token) return;
      token = next;
    }
    throw new SourceError(path, `there are more than ${maxPages} pages`, "Exclude namespaces");
  }
}

/** A prefix is one segment, or several: it never leads elsewhere. */
function rootOf(prefix: unknown): string {
  const segments = typeof prefix === "string" ? prefix.split("/").map(encodeURIComponent) : [];
  return ["v1", ...segments].join("/");
}

/** Servers that name a separator have it percent-encoded. */
function separatorOf(given: unknown): string {
  if (typeof given !== "string" || given === "") return unitSeparator;
  try {
    return encodeURIComponent(decodeURIComponent(given)).replaceAll(".", "%2E");
  } catch {
    return unitSeparator;
  }
}

/** A given token, or one for the client's id and secret. */
async function authorizationOf(session: Session<IcebergSettings>): Promise<string | undefined> {
  const { settings: { url, ca, oauth_url, client_id, scope }, secrets } = session;
  const token = secrets.get("token");
  if (token) return `Bearer ${token}`;
  if (!client_id) return undefined;
  const [base, path] = oauth_url ? splitAddress(oauth_url) : [url, "v1/oauth/tokens"];
  const http = new SourceHttp(session, { base, ca });
  try {
    const form = {
      grant_type: "client_credentials",
      client_id,
      client_secret: secrets.get("client_secret") ?? "",
      scope,
    };
    const answer = await http.json(path, { method: "POST", form }).catch(refused);
    return `Bearer ${answerOf(server, Token, answer, "the token endpoint").access_token}`;
  } finally {
    await http.close();
  }
}

/** OAuth answers wrong credentials with 400. */
function refused(error: unknown): never {
  if (error instanceof StatusError && error.status === 400) {
    throw new StatusError(401, error.object);
  }
  throw error;
}

function splitAddress(address: string): [base: string, path: string] {
  const at = address.lastIndexOf("/") + 1;
  return at > address.indexOf("://") + 3
    ? [address.slice(0, at), address.slice(at)]
    : [address, ""];
}

const Config = z.object({
  defaults: z.record(z.string(), z.unknown()).nullish(),
  overrides: z.record(z.string(), z.unknown()).nullish(),
});
const Token = z.object({ access_token: z.string().min(1) });

const pageToken = z.string().nullish();
const Namespaces = z.object({
  namespaces: z.array(z.array(z.string()).min(1)),
  "next-page-token": pageToken,
});
const Tables = z.object({
  identifiers: z.array(z.object({ namespace: z.array(z.string()), name: z.string().min(1) })),
  "next-page-token": pageToken,
});

/** A type: the name of a primitive one, or an object. */
export const Field = z.object({
  id: z.int(),
  name: z.string(),
  required: z.boolean(),
  type: z.unknown(),
  doc: z.string().nullish(),
  "write-default": z.unknown().optional(),
});
export type Field = z.output<typeof Field>;

export const Schema = z.object({
  "schema-id": z.int().catch(0),
  fields: z.array(Field),
  "identifier-field-ids": z.array(z.int()).nullish(),
});
export type Schema = z.output<typeof Schema>;

const PartitionSpec = z.object({
  "spec-id": z.int(),
  fields: z.array(
    z.object({ "source-id": z.int().nullish(), name: z.string(), transform: z.string() }),
  ),
});

/** Numbers of snapshots are larger than a double holds: good for comparing, not for showing. */
const Snapshot = z.object({
  "snapshot-id": z.number(),
  "timestamp-ms": z.number(),
  summary: z.record(z.string(), z.string()).nullish().transform((value) =>
    new Map(Object.entries(value ?? {}))
  ),
});

/**
 * The part of a table's metadata that is read. In addition, a server may send credentials of its files (`config`), which
 * nothing here looks at.
 */
const Table = z.object({
  metadata: z.object({
    "format-version": z.int(),
    "table-uuid": z.string().nullish(),
    location: z.string().nullish(),
    schemas: z.array(Schema).nullish(),
    schema: Schema.nullish(),
    "current-schema-id": z.int().nullish(),
    "partition-specs": z.array(PartitionSpec).nullish(),
    "default-spec-id": z.int().nullish(),
    snapshots: z.array(Snapshot).nullish(),
    "current-snapshot-id": z.number().nullish(),
    properties: z.record(z.string(), z.string()).nullish().transform((value) =>
      new Map(Object.entries(value ?? {}))
    ),
  }),
});
export type TableMetadata = z.output<typeof Table>["metadata"];
