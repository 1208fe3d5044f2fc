import { clean } from "./attributes.ts";

/** A segment that names one thing and not a kind of things. */
const identifiers: [RegExp, string][] = [
  [/^\d+$/, "{id}"],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "{uuid}"],
  [/^(0x)?[0-9a-f]{8,}$/i, "{hex}"],
  [/^\d{4}-\d{2}-\d{2}/, "{date}"],
];

/** Words of a path that hold digits and yet name a kind: `v1`, `api2`, `oauth2`, `s3`. */
const versioned = /^[a-z]{1,12}\d{1,2}$|^v\d(?:[\d.-]|alpha|beta|rc){0,31}$/i;
const plain = /^[a-z][a-z._~-]{0,31}$/i;
const maxSegments = 12;
/** Longest path that is looked at, characters. */
export const maxPath = 1_024;

/** `/orders/42/lines` → `/orders/{id}/lines`; a query string and a fragment are cut off. */
export function templated(path: string): string {
  const bare = clean(path.split(/[?#;]/, 1)[0]!, maxPath);
  const segments = bare.split("/").filter((segment) => segment !== "");
  const head = segments.slice(0, maxSegments).map(folded);
  if (segments.length > maxSegments) head.push("{rest}");
  return `/${head.join("/")}`;
}

function folded(segment: string): string {
  if (plain.test(segment) && !/^[a-f]{8,}$/i.test(segment)) return segment;
  for (const [pattern, name] of identifiers) if (pattern.test(segment)) return name;
  if (versioned.test(segment)) return segment;
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
