/** What the authority of a namespace names: `host`, `host:port`, or a list of them. */
export interface Address {
  /** Lower-case; IPv6 in brackets. */
  host: string;
  port: string | null;
}

/** A parsed namespace. */
export interface ParsedNamespace {
  /** Lower-case; of a namespace without `://` it is all of it. */
  scheme: string;
  /** What stands before `@`: credentials, or the container of an Azure account. */
  user: string | null;
  addresses: Address[];
  /** All after the user, as it was given: authority and path. */
  location: string;
  /** What follows the authority, without slashes at its ends. */
  path: string;
  /** Settings after `;`, by lower-case name. */
  parameters: Map<string, string>;
}

/** Parses `scheme://user@host:port,…/path;name=value?query`; the query and what follows `#` are dropped. */
export function parseNamespace(namespace: string): ParsedNamespace {
  const given = namespace.startsWith("jdbc:") ? namespace.slice(5) : namespace;
  const at = given.indexOf("://");
  if (at < 0) {
    const scheme = given.trim().replace(/:$/, "").toLowerCase();
    return { scheme, user: null, addresses: [], location: "", path: "", parameters: new Map() };
  }
  const [rest = ""] = given.slice(at + 3).split(/[?#]/, 1);
  const [location = "", ...settings] = rest.split(";");
  const slash = location.indexOf("/");
  const authority = slash < 0 ? location : location.slice(0, slash);
  const sign = authority.lastIndexOf("@");
  return {
    scheme: given.slice(0, at).trim().toLowerCase(),
    user: sign < 0 ? null : authority.slice(0, sign),
    addresses: authority.slice(sign + 1).split(",").map(addressOf).filter(({ host }) =>
      isHost(host)
    ),
    location: location.slice(sign + 1),
    path: slash < 0 ? "" : trimmedOf(location.slice(slash), "/"),
    parameters: new Map(settings.map((one) => {
      const [name = "", value = ""] = one.split("=", 2);
      return [name.trim().toLowerCase(), value];
    })),
  };
}

/** `::1` has no port, `[::1]:99` and `db:99` have. */
export function addressOf(text: string): Address {
  const lower = text.trim().toLowerCase();
  const at = lower.lastIndexOf(":");
  if (at < 1 || !/^\d{1,5}$/.test(lower.slice(at + 1))) return { host: lower, port: null };
  const host = lower.slice(0, at);
  return host.includes(":") && !host.endsWith("]")
    ? { host: lower, port: null }
    : { host, port: lower.slice(at + 1) };
}

/** Whether a text may be a host: letters, digits, points, hyphens and underscores, or an IPv6 address. */
function isHost(text: string): boolean {
  return text.length <= maxHost &&
    (/^[\p{L}\p{N}._-]+$/u.test(text) || /^\[[0-9a-f:.]+\]$|^[0-9a-f]*:[0-9a-f:.]+$/.test(text));
}

/** Longest host, UTF-16 units. */
const maxHost = 255;

/** `text` without any of the character at its ends. */
export function trimmedOf(text: string, character: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === character) from++;
  while (to > from && text[to - 1] === character) to--;
  return text.slice(from, to);
}

const closing = new Map([['"', '"'], ["`", "`"], ["[", "]"]]);

/** A part of a name that stands between dots. */
export interface NameSegment {
  text: string;
  /** Whether it was quoted, so that its letter case means something. */
  quoted: boolean;
}

/**
 * The parts of a dotted name. Dots within `"`, a backtick or brackets do not count; these are taken away where they
 * enclose a whole part, and a doubled one within is one. What is opened and never closed is a letter like others.
 */
export function splitName(name: string): NameSegment[] {
  const segments: NameSegment[] = [];
  let at = 0;
  while (at <= name.length) {
    const segment = quotedAt(name, at) ?? plainAt(name, at);
    segments.push({ text: segment.text, quoted: segment.quoted });
    at = segment.end + 1;
  }
  return segments;
}

interface ParsedPart extends NameSegment {
  /** Where the dot after it stands, or the name ends. */
  end: number;
}

function quotedAt(name: string, from: number): ParsedPart | null {
  const close = closing.get(name[from] ?? "");
  if (close === undefined) return null;
  for (let at = name.indexOf(close, from + 1); at >= 0; at = name.indexOf(close, at + 1)) {
    if (name[at + 1] === close) at++;
    else if (at + 1 === name.length || name[at + 1] === ".") {
      const text = name.slice(from + 1, at).replaceAll(close + close, close);
      return { text, quoted: true, end: at + 1 };
    } else return null;
  }
  return null;
}

function plainAt(name: string, from: number): ParsedPart {
  const dot = name.indexOf(".", from);
  const end = dot < 0 ? name.length : dot;
  return { text: name.slice(from, end), quoted: false, end };
}

/** As `joinName`, of parts that are not quoted. */
export const joinTexts = (texts: string[]) =>
  joinName(texts.map((text) => ({ text, quoted: false })));

/** The inverse of `splitName`: parts that hold dots or begin like quoted ones are quoted. */
export function joinName(segments: NameSegment[]): string {
  return segments.map(({ text, quoted }) => {
    const plain = !quoted && text !== "" && !/^["`[]|\./.test(text);
    return plain ? text : `"${text.replaceAll('"', '""')}"`;
  }).join(".");
}
