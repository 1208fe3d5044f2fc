import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMariadb, type MariaServer, startMariadb } from "#test/support/engines/mariadb.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { checkServer } from "./check.ts";
import { mysqlSession, password } from "./testing/shop.ts";

if (hasMariadb()) {
  const { ca, cert, key } = testCertificate();
  let server: MariaServer;
  beforeAll(async () => {
    server = await startMariadb({ cert, key });
    await server.run(`CREATE USER reader IDENTIFIED BY '${password}' REQUIRE SSL`);
  });
  afterAll(() => server?.stop());

  const connected = async (settings: NonNullable<Parameters<typeof mysqlSession>[1]>["settings"]) =>
    (await checkServer(mysqlSession(server, { settings })))[0]!;

  describe("MySQL over TLS", () => {
    it.each(
      [
        ["prefer", {}],
        ["require", { tls: "require" }],
        ["verify-full", { tls: "verify-full", ca, host: "localhost" }],
      ] as const,
    )("is reached with %s", async (_, settings) => {
      expect(await connected(settings)).toMatchObject({ outcome: "OK" });
    });

    it("is not reached without TLS, or with another authority", async () => {
      expect(await connected({ tls: "disable" })).toMatchObject({ outcome: "FAILED" });
      expect(await connected({ tls: "verify-full", ca: testCertificate().ca })).toMatchObject({
        outcome: "FAILED",
        detail: expect.stringMatching(/certificate|TLS/),
      });
    });
  });
} else {
  describe("MySQL over TLS", () => {
    it("is not tested in this run: there is no MariaDB", () => {
      expect(hasMariadb()).toBe(false);
    });
  });
}
