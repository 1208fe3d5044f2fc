import { afterEach, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { listen } from "#platform/http/runtime.ts";
import { eventually } from "#test/support/eventually.ts";
import { goesOnInTime } from "#test/support/recovery-time.ts";
import { Listener } from "./listener.ts";

const answer = () => Promise.resolve(new Response("here"));
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

it("Listener: waits for a port that another process has, and says which key to set", async () => {
  const other = listen(answer, { host: "127.0.0.1", port: 0 });
  const port = Number(new URL(other.url).port);
  const crashes: unknown[] = [];
  const listener = new Listener({
    name: "receiver",
    log: silentLogger,
    metrics: noMetrics,
    handle: answer,
    address: () => ({ host: "127.0.0.1", port }),
    portKey: "traces.http.port",
  });
  cleanups.push(() => listener.stop());
  await listener.start((error) => crashes.push(error));
  expect(listener.health()).toEqual({
    ready: false,
    state: "port_taken",
    detail: `port ${port} is taken: free it, or set traces.http.port`,
  });
  await other.stop(0);
  await goesOnInTime(
    "port_taken",
    () => eventually(() => expect(listener.health().state).toBe("listening")),
  );
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
  expect(crashes).toEqual([]);
});

it("Listener: an address that cannot be had is an error", async () => {
  const listener = new Listener({
    name: "receiver",
    log: silentLogger,
    metrics: noMetrics,
    handle: answer,
    address: () => ({ host: "192.0.2.1", port: 0 }),
    portKey: "traces.http.port",
  });
  await expect(listener.start(() => {})).rejects.toThrow(/receiver cannot listen on 192.0.2.1/);
});
