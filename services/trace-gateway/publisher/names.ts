import { createHash } from "node:crypto";
import { maxCatrnBytes } from "#contract/entities.ts";

/** A service that exports traces, or a host that is called and does not. */
export interface Subject {
  kind: "service" | "host";
  namespace: string | null;
  name: string;
}

/** Longest segment of a CATRN, bytes; three of them and what is between stay within a CATRN. */
const maxSegmentBytes = 300;

const encoder = new TextEncoder();

// deno-lint-ignore no-control-regex -- control characters are what has to go
const unfit = /[%/\\\u0000-\u001f\u007f]/g;

/**
 * A name as one segment of a CATRN. Letters of all scripts and spaces stay; `%`, `/`, `\` and control
 * characters are percent-encoded, so that two names never make one CATRN. What is longer than 300
 * bytes keeps its beginning and ends in `~` and a digest of the whole.
 */
export function segment(name: string): string {
  const escaped = name.toWellFormed().replace(
    unfit,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
  return cutTo(escaped === "" ? "%" : escaped, maxSegmentBytes);
}

/** At most `bytes` bytes of UTF-8; what is cut is replaced by `~` and a digest of the whole. */
export function cutTo(text: string, bytes = maxCatrnBytes): string {
  if (encoder.encode(text).length <= bytes) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  let kept = "";
  let size = digest.length + 1;
  for (const character of text) {
    size += encoder.encode(character).length;
    if (size > bytes) break;
    kept += character;
  }
  return `${kept}~${digest}`;
}

/**
 * CATRN of a service or of a host that is called:
 * `//microservice/namespaces/{namespace}/services/{name}`, without a namespace
 * `//microservice/services/{name}`, and `//microservice/hosts/{host}`.
 */
export function subjectCatrn({ kind, namespace, name }: Subject): string {
  if (kind === "host") return `//microservice/hosts/${segment(name)}`;
  return namespace === null
    ? `//microservice/services/${segment(name)}`
    : `//microservice/namespaces/${segment(namespace)}/services/${segment(name)}`;
}

/** CATRN of an operation that a service or host serves: `{subject}/calls/{operation}`. */
export function callCatrn(of: Subject, operation: string): string {
  return `${subjectCatrn(of)}/calls/${segment(operation)}`;
}

/** CATRN of the group of all operations that a service or host serves: `{subject}/api`. */
export function apiCatrn(of: Subject): string {
  return `${subjectCatrn(of)}/api`;
}

/** One text for each subject, for maps. */
export function subjectKey({ kind, namespace, name }: Subject): string {
  return JSON.stringify([kind, namespace, name]);
}
