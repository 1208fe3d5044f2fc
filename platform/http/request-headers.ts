import { BlockList, isIP } from "node:net";

/** Hops of a header that are looked at. */
const maxHops = 50;

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/**
 * The address of a client: that of the connection or, for a trusted proxy, the one that the proxy names
 * in `X-Forwarded-For` or `Forwarded`, back to the first that is no trusted proxy itself. When both headers name
 * different ones, a proxy has passed on what the client wrote, and its own address counts.
 */
export function clientAddressBy(
  trusted: readonly string[],
): (headers: Headers, peer: string) => string {
  const isTrusted = trustedBy(trusted);
  const walked = (hops: string[], peer: string) => {
    let client = peer;
    for (const hop of hops.slice(-maxHops).reverse()) {
      const address = addressIn(hop);
      if (!isTrusted(client) || address === undefined) break;
      client = address;
    }
    return client;
  };
  return (headers, peer) => {
    const direct = asIPv4(peer);
    if (!isTrusted(direct)) return peer;
    const named = [forwardedFor(headers), forwarded(headers)]
      .flatMap((hops) => hops.length > 0 ? [walked(hops, direct)] : []);
    return new Set(named).size === 1 ? named[0]! : peer;
  };
}

function trustedBy(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  if (entries.length === 0) return () => false;
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
  };
}

const forwardedFor = (headers: Headers) => hopsOf(headers.get("x-forwarded-for"));

function forwarded(headers: Headers): string[] {
  return hopsOf(headers.get("forwarded")).map((hop) => {
    const pair = hop.split(";").find((part) => /^\s*for=/i.test(part)) ?? "";
    return pair.slice(pair.indexOf("=") + 1).trim().replace(/^"(.*)"$/, "$1");
  });
}

const hopsOf = (value: string | null) => value ? value.split(",") : [];

/** The address of a hop, without its port; undefined if it is invalid. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, inBrackets] = /^\[([^\]]{1,45})\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, beforePort] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text) ?? [];
  const address = asIPv4(inBrackets ?? beforePort ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/** An address of IPv4 that is written as one of IPv6, as IPv4. */
const asIPv4 = (address: string) =>
  /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;

/** Characters of a token that is looked up; ours are much shorter. */
export const longestToken = 200;

/** The token of an `Authorization: Bearer` header; undefined without one. One that was configured may hold blanks. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer +([^ ].*)$/i.exec(authorization ?? "")?.[1]?.trim();
}
