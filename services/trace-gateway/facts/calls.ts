import type { ServiceIdentity } from "#contract/traces.ts";
import type { Attributes, SpanModel } from "../otlp/decoding.ts";
import { clean, hostAndPort, raw, text } from "./attributes.ts";

const methods = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY".split(" "),
);

/**
 * What is called, with few values for a service: `GET /orders/{id}` by the route or template that the
 * instrumentation knows, else by the path with what looks like an identifier folded;
 * `package.Service/Method` of an RPC; else the span's name, folded likewise.
 */
export function operationOf(
  { attributes, name }: SpanModel,
  service: ServiceIdentity,
  budget: PathBudget,
): string | null {
  const method = text(attributes, "http.request.method", "http.method");
  if (method === null) return rpcOperation(attributes) ?? namedOperation(name, service, budget);
  const known = method.toUpperCase();
  const verb = methods.has(known) ? known : "HTTP";
  const path = routeOf(attributes) ?? foldedPath(attributes, service, budget);
  return path === null ? verb : `${verb} ${path}`;
}

function rpcOperation(attributes: Attributes): string | null {
  const service = text(attributes, "rpc.service");
  const method = text(attributes, "rpc.method");
  if (method === null) return service;
  // By the newest conventions the method includes its service.
  return service === null || method.includes("/")
    ? method.replace(/^\//, "")
    : `${service}/${method}`;
}

function namedOperation(name: string, service: ServiceIdentity, budget: PathBudget): string | null {
  const words = clean(name).split(" ").slice(0, 6);
  const folded = words.map((word) => word.includes("/") ? templated(word) : foldedWord(word));
  const operation = folded.join(" ");
  if (operation === "") return null;
  const bounded = budget.within(`${service.namespace} ${service.name} named`, operation);
  return bounded === operation ? operation : "{operation}";
}

function foldedWord(word: string): string {
  return templated(word).slice(1) || word;
}

function routeOf(attributes: Attributes): string | null {
  const route = text(attributes, "http.route", "url.template");
  if (route === null) return null;
  const path = pathOf(route) ?? `/${route}`;
  return path.split(/[?#]/, 1)[0]!;
}

function foldedPath(
  attributes: Attributes,
  service: ServiceIdentity,
  budget: PathBudget,
): string | null {
  const url = raw(attributes, "url.path", "http.target", "url.full", "http.url");
  const path = url === null ? null : pathOf(url);
  if (path === null) return null;
  return budget.within(`${service.namespace} ${service.name}`, templated(path));
}

/** Ports that say nothing next to the host. */
const usualPorts = /:(80|443)$/;

/**
 * The other side as a client knows it: the name that its operator gave (`peer.service`), else
 * `host` or `host:port`; ports 80 and 443 are left out.
 */
export function peerOf(attributes: Attributes): string | null {
  const given = text(attributes, "service.peer.name", "peer.service");
  if (given !== null) return given;
  return addressOf(attributes)?.replace(usualPorts, "") ?? null;
}

/** Where the other side listens, by whichever convention is used. */
export function addressOf(attributes: Attributes): string | null {
  const url = raw(attributes, "url.full", "http.url");
  return hostAndPort(text(attributes, "server.address"), text(attributes, "server.port")) ??
    hostAndPort(text(attributes, "net.peer.name"), text(attributes, "net.peer.port")) ??
    hostAndPort(text(attributes, "http.host"), null) ??
    (url === null ? null : hostOf(url)) ??
    hostAndPort(text(attributes, "net.sock.peer.name"), text(attributes, "net.sock.peer.port")) ??
    hostAndPort(
      text(attributes, "network.peer.address", "net.sock.peer.addr", "net.peer.ip"),
      text(attributes, "network.peer.port", "net.sock.peer.port", "net.peer.port"),
    );
}

const maxSegments = 12;
/** Longest path that is looked at, characters. */
export const maxPath = 1_024;

/** `/orders/42/lines` → `/orders/{id}/lines`; a query string and a fragment are cut off. */
export function templated(path: string): string {
  const bare = clean(path.split(/[?#;]/, 1)[0]!, maxPath);
  const segments = bare.split("/").filter((segment) => segment !== "");
  const head = segments.slice(0, maxSegments).map(foldedSegment);
  if (segments.length > maxSegments) head.push("{rest}");
  return `/${head.join("/")}`;
}

/** A segment that names one thing and not a kind of things. */
const identifiers: [RegExp, string][] = [
  [/^\d+$/, "{id}"],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "{uuid}"],
  [/^(0x)?[0-9a-f]{8,}$/i, "{hex}"],
  [/^\d{4}-\d{2}-\d{2}/, "{date}"],
];

/** Words of a path that hold digits and yet name a kind: `v1`, `api2`, `oauth2`, `s3`. */
const versionedWord = /^[a-z]{1,12}\d{1,2}$|^v\d(?:[\d.-]|alpha|beta|rc){0,31}$/i;
const plainWord = /^[a-z][a-z._~-]{0,31}$/i;

function foldedSegment(segment: string): string {
  if (plainWord.test(segment) && !/^[a-f]{8,}$/i.test(segment)) return segment;
  for (const [pattern, name] of identifiers) if (pattern.test(segment)) return name;
  if (versionedWord.test(segment)) return segment;
  if (segment.length > 32 || /[\d%@=,:+ ]/.test(segment)) return "{value}";
  return clean(segment);
}

/** The path of a URL or request target; null when there is none. Never throws. */
export function pathOf(url: string): string | null {
  if (url.startsWith("/")) return url;
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url);
  return match ? match[1] || "/" : null;
}

/** `host` or `host:port` of a URL, without its user and password; null when it has no host. */
export function hostOf(url: string): string | null {
  const match = /^(?:jdbc:)?[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url);
  const authority = match?.[1]?.split("@").at(-1)?.split(",")[0];
  return authority ? clean(authority.toLowerCase()) : null;
}

interface PathBounds {
  services: number;
  pathsPerService: number;
}

/**
 * Bounds the number of operations that paths without a route make: of a service with more of them
 * than `pathsPerService`, further paths are shortened to their first segment, and finally omitted.
 */
export class PathBudget {
  readonly #known = new Map<string, Set<string>>();

  constructor(private readonly bounds: PathBounds = { services: 5_000, pathsPerService: 300 }) {}

  /** The path, or what stands for it where there are too many; `service` is any name of it. */
  within(service: string, path: string): string {
    const known = this.#known.get(service) ?? this.#add(service);
    if (known === null) return "/{path}";
    if (known.has(path)) return path;
    if (known.size < this.bounds.pathsPerService) return known.add(path) && path;
    const first = path.indexOf("/", 1);
    const short = first < 0 ? "/{path}" : `${path.slice(0, first)}/{path}`;
    if (known.has(short)) return short;
    return known.size < 2 * this.bounds.pathsPerService ? known.add(short) && short : "/{path}";
  }

  #add(service: string): Set<string> | null {
    if (this.#known.size >= this.bounds.services) return null;
    const known = new Set<string>();
    this.#known.set(service, known);
    return known;
  }
}
