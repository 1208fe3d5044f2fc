import { allowedAddress } from "#platform/connections/hosts.ts";
import type { Session } from "../connector.ts";

/** Addresses that no connection may reach: metadata of clouds, link-local, and this machine where it is not allowed. */
const addresses = [
  "http://169.254.169.254/latest",
  "http://[fe80::1]/",
  "http://[::ffff:169.254.169.254]/",
  "http://0.0.0.0/",
  "http://localhost:1/",
];

/** Sessions over such addresses with the rules of a server that others reach, by the address. */
export function refusedHosts(
  sessionOf: (url: string, address: Session["address"]) => Session,
): Record<string, () => Session> {
  const address = (host: string) => allowedAddress(host, { allowed: [], local: false });
  return Object.fromEntries(
    addresses.map((url) => [`refused host ${url}`, () => sessionOf(url, address)]),
  );
}
