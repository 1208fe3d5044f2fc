import { describe, expect, it } from "vitest";
import { clientAddressBy, isAddressOrNetwork } from "./request-headers.ts";

const client = clientAddressBy(["10.0.0.0/8", "192.0.2.1", "2001:db8:1::/48", "fd00::1"]);
const from = (peer: string, headers: Record<string, string> = {}) =>
  client(new Headers(headers), peer);

describe("address of a client", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["without a proxy", "198.51.100.7", {}, "198.51.100.7"],
    [
      "that no proxy is trusted with",
      "198.51.100.7",
      { "x-forwarded-for": "1.2.3.4" },
      "198.51.100.7",
    ],
    ["that a trusted proxy names", "10.1.2.3", { "x-forwarded-for": "1.2.3.4" }, "1.2.3.4"],
    [
      "of a connection over a mapped address",
      "::ffff:10.1.2.3",
      { "x-forwarded-for": "1.2.3.4" },
      "1.2.3.4",
    ],
    ["last in the list: the rest is the client's own text", "10.1.2.3", {
      "x-forwarded-for": "9.9.9.9, 1.2.3.4",
    }, "1.2.3.4"],
    [
      "behind two trusted proxies",
      "10.1.2.3",
      { "x-forwarded-for": "9.9.9.9, 1.2.3.4, 192.0.2.1" },
      "1.2.3.4",
    ],
    ["that is trusted itself", "10.1.2.3", { "x-forwarded-for": "10.9.9.9" }, "10.9.9.9"],
    ["with a port", "10.1.2.3", { "x-forwarded-for": "1.2.3.4:5678" }, "1.2.3.4"],
    ["of IPv6 in brackets", "fd00::1", { "x-forwarded-for": "[2001:db8::5]:80" }, "2001:db8::5"],
    ["of IPv6", "2001:db8:1::9", { "x-forwarded-for": "2001:db8::5" }, "2001:db8::5"],
    [
      "in Forwarded",
      "10.1.2.3",
      { forwarded: 'for=9.9.9.9, FOR="[2001:db8::5]:80";proto=https' },
      "2001:db8::5",
    ],
    [
      "in both, the same",
      "10.1.2.3",
      { forwarded: "for=1.2.3.4", "x-forwarded-for": "1.2.3.4" },
      "1.2.3.4",
    ],
    ["in both, different: one is the client's own text", "10.1.2.3", {
      forwarded: "for=9.9.9.9",
      "x-forwarded-for": "1.2.3.4",
    }, "10.1.2.3"],
    ["that is no address", "10.1.2.3", { "x-forwarded-for": "1.2.3.4, unknown" }, "10.1.2.3"],
    ["that is empty", "10.1.2.3", { "x-forwarded-for": "" }, "10.1.2.3"],
    ["in Forwarded without one", "10.1.2.3", { forwarded: "proto=https" }, "10.1.2.3"],
  ])("%s", (_, peer, headers, expected) => {
    expect(from(peer, headers)).toBe(expected);
  });

  it("is that of the connection where no proxy is trusted", () => {
    const headers = new Headers({ "x-forwarded-for": "1.2.3.4" });
    expect(clientAddressBy([])(headers, "127.0.0.1")).toBe("127.0.0.1");
  });

  it("takes addresses and networks, and nothing else", () => {
    for (const good of ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) {
      expect(isAddressOrNetwork(good)).toBe(true);
    }
    for (const bad of ["proxy", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0/8", "*", ""]) {
      expect(isAddressOrNetwork(bad)).toBe(false);
    }
  });
});
