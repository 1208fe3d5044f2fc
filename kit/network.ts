/**
 * The part of an address that one client has to itself: of IPv6 the network (64 bits), within which it can change its
 * address as it likes.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const whole = [...groups, ...Array(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")];
  const network = whole.slice(0, 4).map((group) => (parseInt(group, 16) || 0).toString(16));
  return `${network.join(":")}::/64`;
}
