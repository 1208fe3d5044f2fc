import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { maxConcurrentChecks } from "#services/api/access/ldap/mode.ts";
import { checksBy } from "#services/api/access/ldap/testing/checks.ts";

describe("LDAP connections", () => {
  async function silentDirectory() {
    const sockets = new Set<Socket>();
    let max = 0;
    const server = createServer((socket) => {
      sockets.add(socket);
      max = Math.max(max, sockets.size);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket)).resume();
    });
    await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const close = () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    };
    return { url: `ldap://127.0.0.1:${port}`, max: () => max, open: () => sockets.size, close };
  }

  it("are bounded at once, and closed also where nothing answers", async () => {
    const silent = await silentDirectory();
    try {
      const check = checksBy({ url: silent.url, "dn-pattern": "uid={0},ou=people" });
      const all = Array.from({ length: maxConcurrentChecks * 3 }, () => check("ada", "word"));
      for (const outcome of await Promise.allSettled(all)) {
        expect(outcome).toMatchObject({ status: "rejected", reason: { status: 503 } });
      }
      expect(silent.max()).toBe(maxConcurrentChecks);
      await expect.poll(silent.open).toBe(0);
    } finally {
      silent.close();
    }
  });
});
