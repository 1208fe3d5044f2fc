import { segment } from "#platform/naming/text.ts";

/** A service that exports traces, or a host that is called and does not. */
export interface Subject {
  kind: "service" | "host";
  namespace: string | null;
  name: string;
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
