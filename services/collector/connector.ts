import type { z } from "@hono/zod-openapi";
import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import type { ConnectionCheck, ConnectionProblem } from "#contract/connections/connection.ts";
import type { ConnectorName, ConnectorSettings } from "#contract/connections/connectors.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import type { NamingSettings } from "#platform/naming/openlineage/names.ts";
import { SourceError } from "#platform/connections/source-error.ts";

/** An entity as a batch carries it. */
export type Item = z.input<typeof DataEntity>;

/** What an entity reads and writes, and how. */
export type Transformer = NonNullable<Item["data_transformer"]>;

/** How often a statement ran for one role, as the source counts it. */
export interface StatementCounter {
  /** Names the counter in the source. */
  key: string;
  /** Executions since `since`. */
  calls: bigint;
  /** When the counter began, milliseconds since the epoch; null where the source does not tell. */
  since: number | null;
  /** CATRNs of the datasets that it reads. */
  reads: string[];
  /** Name of the role that ran it; empty unless it may be stored. */
  role: string;
}

/**
 * What a connector reports of a source: an entity, or something that it could not read. A problem with `catrn` costs that
 * entity only, which stays as it was; without one, the read is not complete and nothing is removed. An entity with
 * `retainDays` is seen only now and then: it is gone when it was not found for so many days. `usage` carries a page of
 * counters; the last one says whether the source reported everything that it counts. A `note` is shown with the run.
 */
export type Finding =
  | { kind: "item"; item: Item; retainDays?: number }
  | { kind: "problem"; problem: ConnectionProblem; catrn?: string }
  | { kind: "usage"; counters: StatementCounter[]; end?: { isComplete: boolean } }
  | { kind: "note"; note: ConnectionCheck };

/** A failure that costs one part of a read, or with `catrn` one entity. Throws what is no `SourceError`. */
export function problemFinding(object: string, error: unknown, catrn?: string): Finding {
  if (!(error instanceof SourceError)) throw error;
  return { kind: "problem", problem: { ...error.problem, object }, catrn };
}

/** A check that failed. Throws what is no `SourceError`. */
export function failedCheck(
  name: string,
  error: unknown,
  detail: "message" | "reason" = "message",
): ConnectionCheck {
  if (!(error instanceof SourceError)) throw error;
  return { name, outcome: "FAILED", detail: error[detail], remedy: error.remedy };
}

/** A check of what `work` says that it found. Throws what is no `SourceError`. */
export async function tried(
  name: string,
  work: () => Promise<string>,
  failure?: "message" | "reason",
): Promise<ConnectionCheck> {
  try {
    return { name, outcome: "OK", detail: await work() };
  } catch (error) {
    return failedCheck(name, error, failure);
  }
}

/** What a connector knows of an entity besides; members that are undefined are left out. */
export const metadataOf = (connector: ConnectorName, metadata: Record<string, unknown>) => [
  { schema_url: `urn:tributary:connector:${connector}`, metadata },
];

/** What a connector is given for one read. */
export interface Session<S = ConnectorSettings> {
  settings: S;
  /** Values of secrets by the name of their setting; never to be put into an error. */
  secrets: ReadonlyMap<string, string>;
  /** The address to connect to; throws `HostRefused` for one that is not allowed. */
  address: (host: string) => Promise<string>;
  /** CATRN of the data source. */
  source: string;
  statementTimeoutMs: number;
  /** How names of OpenLineage become CATRNs. */
  naming: NamingSettings;
  /** Folders of this machine that may be read. */
  folders: readonly string[];
  /** Aborted when the run is cancelled, takes too long, or its process stops. */
  signal: AbortSignal;
}

/** Reads one kind of source. `read` streams: it never holds more than a page of the source. */
export interface Connector<S = ConnectorSettings> {
  /** It also describes assets of other sources: what those report themselves takes precedence. */
  isSecondary?: boolean;
  /** It describes jobs under the names that OpenLineage events have: what events report is left to them. */
  yieldsToEvents?: boolean;
  check(session: Session<S>): Promise<ConnectionCheck[]>;
  read(session: Session<S>): AsyncIterable<Finding>;
}

/** Whether a name is to be read; what is excluded is left out whatever includes it. */
export function isIncluded(
  name: string,
  { include, exclude }: { include: string[]; exclude: string[] },
): boolean {
  const fits = (pattern: string) => fitsPattern(pattern, name);
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}

/** Whether a text fits a pattern, in which `*` stands for any characters; in linear time for each star. */
function fitsPattern(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/**
 * The real path of a file or folder: links must not lead out of the folders that an operator allows. Null for one that does
 * not exist; throws a `SourceError` that names `object` for one that is not allowed.
 */
export async function realPathWithin(
  path: string,
  folders: readonly string[],
  object: string,
): Promise<string | null> {
  // Before anything is looked for: whether a file exists elsewhere is nobody's business.
  if (!folders.some((folder) => isWithin(path, folder))) throw notAllowed(object);
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  const allowed = await Promise.all(folders.map((one) => realpath(one).catch(() => one)));
  if (!allowed.some((folder) => isWithin(real, folder))) throw notAllowed(object);
  return real;
}

const isWithin = (path: string, folder: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const notAllowed = (object: string) =>
  new SourceError(
    object,
    "its folder is not one that connections may read",
    "An operator can add it to connections.artifact-dirs",
  );
