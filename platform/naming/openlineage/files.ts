import {
  assumed,
  type Candidate,
  candidate,
  type CandidateSegment,
  fixed,
  named,
} from "#platform/naming/model.ts";
import { hostSegment } from "./hosts.ts";
import { type ParsedNamespace, trimmedOf } from "./parse.ts";
import type { NamingSettings } from "./settings.ts";

/** Placeholder for an unknown account or project. */
export const untold = "unknown";

type FileRule = (
  namespace: ParsedNamespace,
  path: string,
  settings: NamingSettings,
) => Candidate | undefined;

const rules = new Map<string, FileRule>([
  ...["s3", "s3a", "s3n"].map((scheme): [string, FileRule] => [scheme, s3]),
  ...["gs", "gcs"].map((scheme): [string, FileRule] => [scheme, gcs]),
  ...["abfs", "abfss", "wasb", "wasbs"].map((scheme): [string, FileRule] => [scheme, blobs]),
  ["hdfs", hdfs],
  ["file", local],
]);

/** The candidate of a file or directory; null when its namespace is no store of such, undefined for a name of none. */
export function fileCandidate(
  namespace: ParsedNamespace,
  path: string,
  settings: NamingSettings,
): Candidate | null | undefined {
  const rule = rules.get(namespace.scheme);
  return rule ? rule(namespace, path, settings) : null;
}

/** `keys/…` of a path below its bucket; nothing for the bucket itself. */
function keys(path: string): CandidateSegment[] {
  const key = trimmedOf(path, "/");
  return key === "" ? [] : [fixed("keys"), exactly(key)];
}

/** Letter case means something in paths. */
function exactly(text: string): CandidateSegment {
  const { text: is } = named(text);
  return { text: is, fits: (other) => other === is };
}

/** A bucket that `openlineage.hosts` gives an endpoint is in a store that is not Amazon's. */
function s3({ addresses }: ParsedNamespace, path: string) {
  const [bucket] = addresses;
  if (!bucket) return undefined;
  const slash = bucket.host.lastIndexOf("/");
  const store = slash < 0
    ? [fixed("s3"), fixed("cloud"), fixed("aws"), fixed("buckets"), exactly(bucket.host)]
    : [
      ...[fixed("s3-custom"), fixed("endpoint"), exactly(bucket.host.slice(0, slash))],
      ...[fixed("buckets"), exactly(bucket.host.slice(slash + 1))],
    ];
  return candidate(store[0]!.text!, "FILE", [...store, ...keys(path)]);
}

function gcs({ addresses }: ParsedNamespace, path: string, { gcpProject }: NamingSettings) {
  const [bucket] = addresses;
  if (!bucket) return undefined;
  const project = assumed(gcpProject ?? untold);
  return candidate("gcs", "FILE", [
    ...[fixed("gcs"), fixed("cloud"), fixed("gcp"), fixed("project"), project],
    ...[fixed("buckets"), exactly(bucket.host), ...keys(path)],
  ], { warnings: gcpProject === null ? ["incomplete"] : [] });
}

function blobs({ user, addresses }: ParsedNamespace, path: string) {
  const container = user?.split(":", 1)[0]?.toLowerCase();
  const account = addresses[0]?.host.split(".", 1)[0];
  if (!container || !account) return undefined;
  return candidate("blob_storage", "FILE", [
    ...[fixed("blob_storage"), fixed("cloud"), fixed("azure"), fixed("account"), exactly(account)],
    ...[fixed("container"), exactly(container), ...keys(path)],
  ]);
}

/** Usual port of a name node. */
export const hdfsPort = "8020";

function hdfs({ addresses }: ParsedNamespace, path: string) {
  const [node] = addresses;
  if (!node) return undefined;
  const host = hostSegment(node, hdfsPort);
  return candidate("hdfs", "FILE", [
    fixed("hdfs"),
    fixed("host"),
    host,
    fixed("paths"),
    rooted(path),
  ]);
}

/** Host of files whose namespace names none. */
export const localHost = "localhost";

function local({ addresses, location }: ParsedNamespace, path: string) {
  if (addresses.length === 0 && location !== "" && !location.startsWith("/")) return undefined;
  const host = hostSegment(addresses[0] ?? { host: localHost, port: null }, null);
  return candidate("filesystem", "FILE", [
    ...[fixed("filesystem"), fixed("host"), host, fixed("path"), rooted(path)],
  ]);
}

function rooted(path: string): CandidateSegment {
  return exactly(path.startsWith("/") ? path : `/${path}`);
}
