import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpListener, listen } from "#platform/http/runtime.ts";
import { sessionIdOf } from "#services/api/access/sessions/sessions.ts";
import {
  ada,
  bob,
  replicas as newReplicas,
  whoami,
} from "#services/api/access/testing/replicas.ts";
import { sendRaw } from "#test/support/http/raw-http.ts";
import type { Browser } from "#test/support/sign-in/browser.ts";

const [id, other] = ["A".repeat(43), "B".repeat(43)];
const idIn = (cookie: string) => sessionIdOf(new Headers({ cookie }));

describe("cookie injection", () => {
  it.each([
    [`SESSION=${id}`],
    [`a=1; SESSION=${id}; b="x;y"`],
    [`SESSION="${id}"`],
    [`  SESSION=${id} ;`],
    [`SESSION=; SESSION=${id}`],
    [`SESSION=not-one; SESSION=${id}`],
    [`SESSION=${id}; SESSION=${id}`],
    [`XSESSION=${other}; SESSION=${id}; SESSIONS=${other}; session=${other}`],
    [`__proto__=${other}; constructor=${other}; =${other}; ${other}; SESSION=${id}`],
    [`${"a=1; ".repeat(10_000)}SESSION=${id}`],
  ])("the one well-formed id is looked up: %#", (cookie) => expect(idIn(cookie)).toBe(id));

  it.each([
    [""],
    ["SESSION"],
    ["SESSION="],
    [`SESSION=${id}A`],
    [`SESSION=${"A".repeat(100_000)}`],
    [`SESSION="${id}`],
    [`SESSION=""${id}""`],
    [`SESSION='${id}'`],
    [`SESSION=${id}%41`],
    [`SESSION=${id.slice(1)}*`],
    [`SESSION=${id.slice(3)}../`],
    [`SESSION =${id}`],
    [`x=SESSION=${id}`],
    [`__Host-SESSION=${id}`],
    [`$Version=1; $SESSION=${id}`],
  ])("no other value is looked up: %#", (cookie) => expect(idIn(cookie)).toBeUndefined());

  it("of two different ids neither counts: one of them may have been planted", () => {
    expect(idIn(`SESSION=${id}; SESSION=${other}`)).toBeUndefined();
    expect(idIn(`SESSION=${other}; a=1; SESSION="${id}"`)).toBeUndefined();
  });
});

describe("several session cookies over HTTP", () => {
  const replicas = newReplicas();
  let server: HttpListener;
  let [own, planted]: Browser[] = [];
  beforeAll(async () => {
    const { fetch, browser } = replicas.open();
    server = listen((request) => fetch(request, "192.0.2.1"), { host: "127.0.0.1", port: 0 });
    [own, planted] = [browser(), browser()];
    await own.post("/login", ada);
    await planted.post("/login", bob);
  });
  afterAll(() => server?.stop(0));

  const cookieOf = (browser: Browser | undefined) => `SESSION=${browser!.cookies.get("SESSION")}`;
  const responseWith = (cookies: string[], line = `GET ${whoami}`) =>
    sendRaw(server.url, [
      `${line} HTTP/1.1`,
      "Host: localhost",
      "Content-Length: 0",
      ...cookies.map((cookie) => `Cookie: ${cookie}`),
    ]);

  it("nobody acts as whoever planted a cookie, in one header or in two", async () => {
    const both = [cookieOf(planted), cookieOf(own)];
    expect((await responseWith([cookieOf(own)])).text).toContain('"ada"');
    expect((await responseWith([both.join("; ")])).status).toBe(401);
    expect((await responseWith(both)).status).toBe(401);
  });

  it("a header without end is refused, and holds up nobody", async () => {
    const { status } = await responseWith([`SESSION=${"A".repeat(200_000)}`]);
    expect([0, 400, 401, 431]).toContain(status);
    expect((await responseWith([cookieOf(own)])).status).toBe(200);
  });

  it("signing out ends every session that the browser sends", async () => {
    expect((await responseWith([`${cookieOf(planted)}; ${cookieOf(own)}`], "POST /logout")).status)
      .toBe(
        302,
      );
    for (const browser of [own, planted]) {
      expect((await responseWith([cookieOf(browser)])).status).toBe(401);
    }
  });
});
