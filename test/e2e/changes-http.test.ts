import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";
import { eventually } from "#test/support/eventually.ts";
import { followChanges as follow } from "#test/support/http/events.ts";
import { openRaw } from "#test/support/http/raw-http.ts";

describe("changes over HTTP", () => {
  let instance: Instance;
  const session = { provider: "INTERNAL_POSTGRESQL", "idle-timeout": "1 h" };
  const auth = { type: "LOGIN_FORM", "login-form-credentials": "ada:x,bob:y" };
  beforeAll(async () => {
    instance = await startInstance("embedded", { config: { auth, session } });
  });
  afterAll(() => instance?.stop());

  /** The cookie of somebody who signs in. */
  async function signedIn(username: string, password: string): Promise<string> {
    const page = await fetch(`${instance.url}/login`);
    await page.text();
    const response = await fetch(`${instance.url}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: instance.url },
      body: new URLSearchParams({ username, password }),
    });
    await response.body?.cancel();
    return /SESSION=[^;]+/.exec(response.headers.get("set-cookie") ?? "")![0];
  }

  it("whoever is not signed in is told nothing", async () => {
    const response = await fetch(`${instance.url}/api/changes`, {
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(401);
    await response.body?.cancel();
  });

  it(
    "a session that ends, and a token that is revoked, end what they began; others go on",
    async () => {
      const cookie = await signedIn("ada", "x");
      const bob = await signedIn("bob", "y");
      const made = await instance.send("POST", "/api/identity/tokens", { name: "t" }, { cookie });
      const { id, value } = await made.json();
      const clients = {
        session: await follow(instance.url, "", { cookie }),
        token: await follow(instance.url, "", { authorization: `Bearer ${value}` }),
        other: await follow(instance.url, "", { cookie: bob }),
      };
      for (const client of Object.values(clients)) expect(client.response.status).toBe(200);
      const before = Date.now();
      await instance.send("DELETE", `/api/identity/tokens/${id}`, undefined, { cookie });
      expect(await clients.token.end()).toBe("ended");
      expect(Date.now() - before).toBeLessThan(3_000);
      expect(clients.session.over).toBeUndefined();
      const left = await instance.send("POST", "/logout", undefined, {
        cookie,
        origin: instance.url,
      });
      await left.body?.cancel();
      expect(await clients.session.end()).toBe("ended");
      expect(clients.session.comments).toContain("ended: access");
      expect((await follow(instance.url, "", { cookie })).response.status).toBe(401);
      expect(clients.other.over).toBeUndefined();
      await clients.other.leave();
    },
  );

  it("events come at once, also to whoever takes compressed answers", async () => {
    const cookie = await signedIn("ada", "x");
    const client = await follow(instance.url, "", { cookie, "accept-encoding": "gzip, br" });
    const [first] = await client.some(1, "projection");
    expect(first!.data.position).toBeGreaterThanOrEqual(0);
    expect(client.response.headers.get("content-encoding")).toBeNull();
    await client.leave();
  });

  it("a header of 10 MB is refused, and a place of 50 kB is none", async () => {
    const cookie = await signedIn("ada", "x");
    const ask = async (length: number) => {
      const headers = { cookie, "last-event-id": "7".repeat(length) };
      return await fetch(`${instance.url}/api/changes?wait=0`, { headers }).then(
        async (response) => `${response.status} ${(await response.text()).includes("reset")}`,
        () => "closed",
      );
    };
    expect(await ask(10 * 1_048_576)).toMatch(/^(closed|4\d\d false)$/);
    expect(["200 true", "431 false", "closed"]).toContain(await ask(50_000));
    expect(await ask(10)).toBe("200 true");
  });

  it("one who leaves his connection unread is cut off and holds up nobody", async () => {
    const cookie = await signedIn("ada", "x");
    const socket = await openRaw(instance.url);
    const { host } = new URL(instance.url);
    socket.write(
      `GET /api/changes HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`,
    );
    socket.pause();
    const client = await follow(instance.url, "?types=activity", { cookie });
    await eventually(() => expect(client.lastId).not.toBe(""));
    await instance.test.db.query(
      `INSERT INTO change (kind, event_type, entity_id, details)
       SELECT 'activity', 'DESCRIPTION_UPDATED', n, jsonb_build_object('x', repeat('x', 1000))
         FROM generate_series(1, 4000) n`,
    );
    await client.some(4_000);
    socket.destroy();
    await client.leave();
  });
});
