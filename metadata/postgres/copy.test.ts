import { text } from "node:stream/consumers";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { copyIn, copyOut, copySession } from "./copy.ts";

/** Rows that are several times what a socket reads at once. */
const rows = 20_000;
const table = { schema: "public", table: "copied", columns: ["n", "t"] };
const line = (n: number) => `${n}\t${`row ${n} `.repeat(10)}\n`;

describe("copying a table that is larger than the buffers on the way", () => {
  let test: TestDatabase;
  let content: string;
  beforeAll(async () => {
    test = await testDatabase();
    content = Array.from({ length: rows }, (_, n) => line(n)).join("");
    await test.db.query("CREATE TABLE copied (n int, t text)");
    await test.db.query(
      `INSERT INTO copied SELECT n, repeat('row ' || n || ' ', 10)
         FROM generate_series(0, $1::int - 1) n`,
      [rows],
    );
  });
  afterAll(() => test?.drop());

  const inSession = async (work: (client: pg.Client) => Promise<void>) => {
    const client = await copySession(test.url, "copy test");
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };

  it("gives every row once and in order, and the session goes on", async () => {
    await inSession(async (client) => {
      expect(await text(copyOut(client, table)) === content).toBe(true);
      expect(await text(copyOut(client, table)) === content).toBe(true);
      expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    });
  });

  it("gives every row to a reader that is slower than the server", async () => {
    await inSession(async (client) => {
      const chunks: string[] = [];
      for await (const chunk of copyOut(client, table)) {
        chunks.push(chunk.toString());
        await new Promise((resume) => setTimeout(resume, 1));
      }
      expect(chunks.join("") === content).toBe(true);
    });
  });

  it("takes them back", async () => {
    await inSession(async (client) => {
      await client.query("CREATE TABLE back (LIKE copied)");
      await copyIn(client, { ...table, table: "back" }, rowsOf(test));
      const { rows: found } = await client.query(
        `SELECT count(*)::int AS n FROM back JOIN copied USING (n, t)`,
      );
      expect(found).toEqual([{ n: rows }]);
    });
  });
});

/** The rows, from a session of their own. */
async function* rowsOf({ url }: TestDatabase): AsyncGenerator<Uint8Array> {
  const client = await copySession(url, "copy test");
  try {
    yield* copyOut(client, table);
  } finally {
    await client.end();
  }
}
