import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { queryOf, request, withPath } from "#web/api/client.ts";

let api: { queryOf: typeof queryOf; request: typeof request; withPath: typeof withPath };
beforeAll(async () => {
  vi.stubGlobal("document", {
    baseURI: "https://shop.example/catalogue/",
    documentElement: { lang: "en" },
  });
  api = await import("#web/api/client.ts");
});
afterEach(() => vi.unstubAllGlobals());

/** What is sent, while the service answers `text`. */
async function sent(options: Parameters<typeof request>[2], text = "", status = 200) {
  const calls: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    calls.push([url, init]);
    return Promise.resolve(new Response(status === 204 ? null : text, { status }));
  });
  const answer = await api.request("put", "/api/things/{id}", options);
  return { url: calls[0]![0], init: calls[0]![1], ...answer };
}

test("parameters go into path and query, numbers joined by commas, texts repeated, nothing for what is not given", async () => {
  const path = { id: "a/b c" };
  const query = {
    ids: [1, 2],
    names: ["a,b", " ", ""],
    none: [],
    text: "x,y&z",
    no: undefined,
    nil: null,
    zero: 0,
    off: false,
  };
  const { url } = await sent({ path, query });
  expect(url).toBe(
    "https://shop.example/catalogue/api/things/a%2Fb%20c?ids=1,2&names=a%2Cb&names=%20&names=&text=x%2Cy%26z&zero=0&off=false",
  );
  expect(api.withPath("/a/{x}/{y}", { x: 1, y: "é" })).toBe("/a/1/%C3%A9");
  expect(api.queryOf({})).toBe("");
});

test("a body is JSON, a form is sent as it is, and without either nothing is said of a type", async () => {
  const json = await sent({ body: { name: "é" }, headers: { "x-more": "1" } });
  expect([json.init.method, json.init.body]).toEqual(["PUT", '{"name":"é"}']);
  expect(json.init.headers).toEqual({ "content-type": "application/json", "x-more": "1" });
  const form = new FormData();
  expect((await sent({ body: form })).init).toMatchObject({ body: form, headers: undefined });
  expect((await sent({})).init.body).toBeUndefined();
  expect((await sent({ body: null })).init.body).toBe("null");
});

test("answers are JSON or nothing; a refusal in other words is one without a body", async () => {
  expect((await sent({}, '{"a":[1]}')).body).toEqual({ a: [1] });
  expect((await sent({}, "", 204)).body).toBeUndefined();
  expect((await sent({}, "<h1>Bad gateway</h1>", 502)).body).toBeUndefined();
  await expect(sent({}, '{"a":[1')).rejects.toThrow();
});
