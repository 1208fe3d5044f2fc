import type { NameRef } from "#platform/naming/model.ts";
import type { NamingSettings } from "./settings.ts";
import { trimmedOf } from "./parse.ts";

/** Schemes whose part before `@` is a container, no account. */
const containers = /^(?:abfss?|wasbs?):\/\//i;
/** Schemes whose names are addresses themselves, so that they may carry a query. */
const addressed = /^(?:https?|ftp|sftp):\/\//i;
/** Schemes whose names are paths. */
const paths =
  /^(?:file|hdfs|viewfs|s3[an]?|gs|gcs|abfss?|wasbs?|adl|oss|cosn?|dbfs|maprfs|webhdfs)(?::\/\/|:?$)/i;

/** Whether the names of a namespace are paths. */
function hasPaths(namespace: string): boolean {
  return paths.test(namespace);
}

/** Schemes of further stores of files, whose names stay as they are given. */
const files = /^(?:az|azure|alluxio|bos|ftps?|minio|obs|r2|sftp|swift|tos):\/\//i;

/** Whether the datasets of a namespace are files. */
export function namesFiles(namespace: string): boolean {
  return hasPaths(namespace) || files.test(namespace);
}

/** Whether the datasets of a namespace are on the web, by their paths. */
export function isWeb(namespace: string): boolean {
  return /^https?:\/\//i.test(namespace);
}

/**
 * A dataset's name as it is stored and compared: what cannot be stored, credentials and queries of addresses are
 * taken away, and of a path the part that names a partition.
 */
export function cleanDataset({ namespace, name }: NameRef, settings: NamingSettings): NameRef {
  const cleaned = cleanNamespace(namespace);
  const text = storable(name);
  const plain = text.includes("://") || addressed.test(cleaned) ? cleanAddress(text) : text;
  return { namespace: cleaned, name: hasPaths(cleaned) ? cleanPath(plain, settings) : plain };
}

/** A namespace as it is stored and compared: without credentials, query and what cannot be stored. */
export function cleanNamespace(namespace: string): string {
  const text = storable(namespace);
  return text.includes("://") ? trimmedEnd(cleanAddress(text)) : text;
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** An address, or the part of one after the authority, without credentials and query. */
function cleanAddress(text: string): string {
  const [bare = ""] = text.split(/[?#]/, 1);
  const from = bare.indexOf("://");
  if (from < 0) return bare;
  const start = from + 3;
  const slash = bare.indexOf("/", start);
  const authority = bare.slice(start, slash < 0 ? bare.length : slash);
  const at = authority.lastIndexOf("@");
  if (at < 0) return bare;
  const user = containers.test(bare) ? authority.slice(0, at).split(":", 1)[0] + "@" : "";
  return bare.slice(0, start) + user + bare.slice(start + at + 1);
}

/** `file:///` keeps its slashes. */
function trimmedEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/" && text[end - 2] !== "/" && text[end - 2] !== ":") end--;
  return text.slice(0, end);
}

/** Maximum number of ends that one path loses, so that a hostile one costs little. */
const maxCuts = 64;

/**
 * A path without what names a part of its table: a glob and what follows it, directories such as `day=2026-01-31` at
 * its end, files in them, and what the operator's patterns match.
 */
export function cleanPath(path: string, { pathEnds }: NamingSettings): string {
  const absolute = path.startsWith("/");
  let cleaned = withoutSlashes(withoutGlob(path));
  for (let cuts = 0; cuts < maxCuts; cuts++) {
    const next = shorter(cleaned, pathEnds);
    if (next === cleaned) break;
    cleaned = next;
  }
  return cleaned === "" && absolute ? "/" : cleaned;
}

function shorter(path: string, ends: NamingSettings["pathEnds"]): string {
  const slash = path.lastIndexOf("/");
  const last = path.slice(slash + 1);
  const directory = path.slice(0, Math.max(slash, 0));
  const inPartition = isPartition(directory.slice(directory.lastIndexOf("/") + 1));
  if (isPartition(last) || (inPartition && isFile(last))) return withoutSlashes(directory);
  for (const end of path.length > maxPatternedPath ? [] : ends) {
    const length = end(path);
    if (length < path.length) return withoutSlashes(path.slice(0, length));
  }
  return path;
}

/** A directory of one partition in Hive's layout, `column=value`. */
const isPartition = (segment: string) => segment.indexOf("=") > 0;

/** What writers leave in a directory: `part-00000`, `000000_0`, `_SUCCESS`, or a name with an extension. */
const isFile = (segment: string) => /\.[^.]|^part-|^_|^\d+_\d+$/.test(segment);

/** `*`, `?`, `[0-9]` and `{a,b}`, as Hadoop and Spark read them in paths; `[draft]` may be the name of a file. */
const glob = /[*?]|\[[!^]?\w-\w|\{[^{},/]*,[^{}/]*\}/;

function withoutGlob(path: string): string {
  const segments = path.split("/");
  const at = segments.findIndex((segment) => glob.test(segment));
  if (at < 0) return path;
  const before = segments.slice(0, at).join("/");
  return before === "" && path.startsWith("/") ? "/" : before;
}

/** Longer paths are not compared with patterns, whose time grows with them. */
const maxPatternedPath = 2_000;

function withoutSlashes(path: string): string {
  const trimmed = trimmedOf(path, "/");
  return path.startsWith("/") && trimmed !== "" ? `/${trimmed}` : trimmed;
}
