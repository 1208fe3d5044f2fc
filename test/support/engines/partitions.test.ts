import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { freeGroups, partitions } from "./partitions.ts";
import { spawnTied, type TiedProcess } from "./tied.ts";

/** Connects to a port, writes a line for whatever arrives, and one when the connection ends. */
const client = (port: number) => `
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: ${port} });
  const buffer = new Uint8Array(64);
  try {
    while (await connection.read(buffer)) {
      console.log("arrived");
      await connection.write(new Uint8Array(1));
    }
  } catch (error) {
    console.log(error.name);
  }`;

const [group = 0, other = 0] = freeGroups(2);
const network = partitions([group, other]);
afterAll(() => network?.remove());

if (network) {
  describe("a partition between a group of processes and a port", () => {
    let server: Server;
    let port: number;
    let sent = 0;
    const sockets = new Set<Socket>();
    const clients: TiedProcess[] = [];
    beforeAll(async () => {
      server = createServer((socket) => {
        sockets.add(socket);
        // Nobody hears of a reset without reading.
        socket.resume();
        const timer = setInterval(() => void (++sent && socket.write(".")), 20);
        for (const event of ["error", "close"]) {
          socket.on(event, () => {
            clearInterval(timer);
            sockets.delete(socket);
          });
        }
      });
      await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
      port = (server.address() as AddressInfo).port;
    });
    afterAll(async () => {
      for (const one of clients) await one.kill();
      for (const socket of sockets) socket.destroy();
      server?.close();
    });

    /** A client of this group; the lines that it writes. */
    const connected = async (gid: number) => {
      const lines: string[] = [];
      const flags = ["eval", client(port)];
      clients.push(spawnTied(process.execPath, flags, { gid, onLine: (line) => lines.push(line) }));
      await eventually(() => expect(lines).toContain("arrived"));
      return lines;
    };
    const more = (of: () => number, by: number) => {
      const before = of();
      return eventually(() => expect(of()).toBeGreaterThan(before + by));
    };

    it("lets nothing pass until it is healed, and leaves others alone", async () => {
      const [mine, others] = [await connected(group), await connected(other)];
      const partition = network.between(group, port);
      partition.silence();
      // What was on its way has arrived by then.
      await more(() => others.length, 20);
      const before = mine.length;
      await more(() => others.length, 20);
      expect(mine).toHaveLength(before);
      partition.heal();
      await more(() => mine.length, 20);
      expect([...new Set(mine), ...new Set(others)]).toEqual(["arrived", "arrived"]);
    });

    it("resets connections at both ends and refuses new ones until it is healed", async () => {
      const [mine, others] = [await connected(group), await connected(other)];
      const partition = network.between(group, port);
      const ends = sockets.size;
      partition.reset();
      await eventually(() => expect(mine.at(-1)).toBe("ConnectionReset"));
      await eventually(() => expect(sockets.size).toBeLessThan(ends));
      const refused: string[] = [];
      const flags = ["eval", client(port)];
      const onLine = (line: string) => refused.push(line);
      clients.push(spawnTied(process.execPath, flags, { gid: group, onLine }));
      await eventually(() => expect(refused.join("\n")).toMatch(/Connection ?refused/i));
      partition.heal();
      await connected(group);
      expect(others.at(-1)).toBe("arrived");
    });
  });
} else {
  it("partitions are not tested here: they need root, iptables and its modules", () => {
    expect(network).toBeNull();
  });
}
