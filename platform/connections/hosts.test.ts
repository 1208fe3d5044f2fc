import { describe, expect, it } from "vitest";
import { allowedAddress, HostRefused, type HostRules } from "./hosts.ts";

const open: HostRules = { allowed: [], local: true };
const closed: HostRules = { allowed: [], local: false };
const resolving = (...addresses: string[]) => () => Promise.resolve(addresses);

const refused = async (host: string, rules: HostRules, ...addresses: string[]) =>
  await allowedAddress(host, rules, resolving(...addresses)).then(
    (address) => address,
    (error) => error instanceof HostRefused ? "refused" : error,
  );

describe("hosts that connections may reach", () => {
  it.each([
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "100.100.100.200",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "255.255.255.255",
  ])("never reaches %s, whatever is allowed", async (address) => {
    expect(await refused(address, open)).toBe("refused");
    expect(await refused(address, { allowed: ["*"], local: true })).toBe("refused");
    expect(await refused("db.example", { allowed: ["*"], local: true }, address)).toBe("refused");
  });

  it("reaches this machine only where the catalogue serves this machine alone", async () => {
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9"]) {
      expect(await refused(address, open)).toBe(address);
      expect(await refused(address, closed)).toBe("refused");
    }
    expect(await refused("db.example", closed, "127.0.0.1")).toBe("refused");
  });

  it("reaches what the list names, and nothing else", async () => {
    const rules = { allowed: ["*.corp.example", "10.1.0.0/16", "db", "192.0.2.7"], local: true };
    expect(await refused("a.corp.example", rules, "10.9.9.9")).toBe("10.9.9.9");
    expect(await refused("x", rules, "10.1.2.3")).toBe("10.1.2.3");
    expect(await refused("DB", rules, "10.9.9.9")).toBe("10.9.9.9");
    expect(await refused("192.0.2.7", rules)).toBe("192.0.2.7");
    expect(await refused("corp.example", rules, "10.9.9.9")).toBe("refused");
    expect(await refused("127.0.0.1", rules)).toBe("refused");
  });

  it("refuses a name of which one address is not allowed", async () => {
    expect(await refused("db.example", closed, "192.0.2.1", "169.254.169.254")).toBe("refused");
  });

  it("names a host that is not known", async () => {
    await expect(allowedAddress("db.example", open, () => Promise.reject(new Error("ENOTFOUND"))))
      .rejects.toThrow("db.example is not a known host name");
  });
});
