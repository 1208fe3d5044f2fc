import { describe, expect, it } from "vitest";
import { listen } from "#platform/http/runtime.ts";

describe("listen", () => {
  const address = { host: "127.0.0.1", port: 0 };

  it("stop: lets a running request end within its time", async () => {
    const requested = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Response>();
    const server = listen(() => (requested.resolve(), response.promise), address);
    const answer = fetch(server.url);
    await requested.promise;
    const stopped = server.stop(10_000);
    response.resolve(new Response("done"));
    expect(await (await answer).text()).toBe("done");
    await stopped;
  });

  it("stop: cuts a request whose time is up with 503, and the process lives on", async () => {
    const requested = Promise.withResolvers<void>();
    const server = listen(() => (requested.resolve(), new Promise<Response>(() => {})), address);
    const answer = fetch(server.url);
    await requested.promise;
    await server.stop(50);
    const { status, headers } = await answer;
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("stop: takes no time when nobody asks", async () => {
    const server = listen(() => new Response("x"), address);
    await server.stop(0);
    await expect(fetch(server.url)).rejects.toThrow();
  });
});
