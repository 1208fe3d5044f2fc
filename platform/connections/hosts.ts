import { BlockList, isIP } from "node:net";
import { lookup } from "node:dns/promises";
import { isLoopback } from "#platform/config/exposure.ts";
import { withTimeout } from "#kit/retry.ts";

/** Why a host is not reached; the message is for people and holds no secret. */
export class HostRefused extends Error {
  constructor(readonly host: string, reason: string, readonly remedy: string) {
    super(`${host} ${reason}`);
  }
}

/** Addresses at which no source is: link-local, where clouds answer with credentials, and what names no machine. */
const never = networks([
  ...["0.0.0.0/8", "169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32", "224.0.0.0/3"],
  ...["::/128", "fe80::/10", "fd00:ec2::/32", "ff00::/8", "64:ff9b::a9fe:0/112"],
]);

/** Milliseconds for looking up a name. */
const lookupMs = 5_000;

export interface HostRules {
  /** `connections.allowed-hosts`; empty: all but this machine. */
  allowed: string[];
  /** Whether this machine's own addresses are allowed where the list is empty. */
  local: boolean;
}

/** The rules of a configuration: where only this machine reaches the catalogue, it may reach this machine. */
export function hostRules(
  config: { connections: { "allowed-hosts": string[] }; server: { host: string } },
): HostRules {
  return {
    allowed: config.connections["allowed-hosts"],
    local: isLoopback(config.server.host),
  };
}

/**
 * The address to connect to. It is looked up once and connected to as it is, so that a name cannot mean another
 * address afterwards. Throws `HostRefused`.
 */
export async function allowedAddress(
  host: string,
  rules: HostRules,
  resolve: (host: string) => Promise<string[]> = addressesOf,
): Promise<string> {
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
  const [first] = addresses;
  if (first === undefined) {
    throw new HostRefused(host, "is not a known host name", "Check the host name and the DNS");
  }
  for (const address of addresses) {
    const problem = problemOf(host, address, rules);
    if (problem) throw problem;
  }
  return first;
}

function problemOf(host: string, address: string, rules: HostRules): HostRefused | null {
  const plain = unmapped(address);
  if (never.check(plain, familyOf(plain))) {
    return new HostRefused(host, "is a link-local or reserved address", "Name another host");
  }
  const listed = rules.allowed.some((entry) => covers(entry, host.toLowerCase(), plain));
  const open = rules.allowed.length === 0 && (rules.local || !isLoopback(plain));
  return listed || open ? null : new HostRefused(
    host,
    "is not a host that connections may reach",
    "An operator can add it to connections.allowed-hosts",
  );
}

/** Whether an entry of the list names a host or holds its address. */
function covers(entry: string, host: string, address: string): boolean {
  const lower = entry.toLowerCase();
  if (lower === host || lower === "*") return true;
  if (lower.startsWith("*.")) return host.endsWith(lower.slice(1));
  const [network = ""] = lower.split("/");
  return isIP(network) !== 0 && networks([lower]).check(address, familyOf(address));
}

function networks(all: string[]): BlockList {
  const list = new BlockList();
  for (const entry of all) {
    const [network = "", bits] = entry.split("/");
    const whole = isIP(network) === 6 ? 128 : 32;
    const size = bits === undefined ? whole : Number(bits);
    if (Number.isInteger(size) && size >= 0 && size <= whole) {
      list.addSubnet(network, size, familyOf(network));
    }
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** An IPv4 address that is written as one of IPv6. */
function unmapped(address: string): string {
  const [plain = ""] = address.split("%");
  const [, dotted] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(plain) ?? [];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  const bits = [parseInt(high, 16), parseInt(low, 16)];
  return bits.flatMap((part) => [part >> 8, part & 255]).join(".");
}

async function addressesOf(host: string): Promise<string[]> {
  const late = () => new Error("no answer of the DNS");
  const found = await withTimeout(lookup(host, { all: true }), lookupMs, late);
  // Servers that listen on one family listen on IPv4, and localhost is of both.
  return found.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
}
