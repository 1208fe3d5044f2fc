import { afterEach, expect, it } from "vitest";
import type { Service } from "#platform/service.ts";
import { eventually } from "#test/support/eventually.ts";
import { type Instance, startInstance } from "#test/support/engines/instance.ts";

let instance: Instance;
afterEach(() => instance.stop());

/** A service with one worker that the test can crash. */
function fake(name: string): { service: Service; crash: () => void } {
  let crash = (_error: unknown) => {};
  const worker = {
    name: `${name} worker`,
    start(onCrash: (error: unknown) => void) {
      crash = onCrash;
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
    health: () => ({ ready: true, state: "running" }),
  };
  const service = { name, create: () => ({ routes: [], workers: [worker] }) };
  return { service, crash: () => crash(new Error(`${name} met poison`)) };
}

it("a worker that has failed permanently makes readiness 503 by name, and does not end other services", async () => {
  const [bad, good] = [fake("bad"), fake("good")];
  const services = [bad.service, good.service];
  instance = await startInstance("embedded", { services, maxFailures: 1 });
  expect((await instance.send("GET", "/health/ready")).status).toBe(200);
  bad.crash();
  const answer = await instance.send("GET", "/health/ready");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    ready: false,
    given_up: ["bad worker"],
    workers: {
      "bad worker": { ready: false, state: "given_up", detail: "bad met poison" },
      "good worker": { ready: true },
    },
  });
  expect(await (await instance.send("GET", "/metrics")).text())
    .toContain('tributary_worker_given_up{worker="bad worker"} 1');
  expect(instance.exhaustedWorker()).toBeNull();
});

it("a process of one service ends when its worker has failed permanently", async () => {
  const only = fake("only");
  instance = await startInstance("embedded", { services: [only.service], maxFailures: 1 });
  only.crash();
  await eventually(() => expect(instance.exhaustedWorker()).toBe("only worker"));
});

it("a process that is stopped while its workers start finishes that first, and stops in order", async () => {
  const did: string[] = [];
  const started = Promise.withResolvers<void>();
  const slow = {
    name: "slow worker",
    start: () => started.promise.then(() => void did.push("started")),
    stop: () => Promise.resolve(void did.push("stopped")),
    health: () => ({ ready: true, state: "running" }),
  };
  const service = {
    name: "slow",
    create: () => ({
      routes: [],
      workers: [slow],
      drain: () => Promise.resolve(void did.push("drained")),
    }),
  };
  let stopping: Promise<void> | undefined;
  instance = await startInstance("embedded", {
    services: [service],
    onListening(running) {
      stopping = running.stop();
      started.resolve();
    },
  });
  await stopping;
  expect(did).toEqual(["drained", "started", "stopped"]);
  expect(instance.logs.filter((line) => line.includes("stop step failed"))).toEqual([]);
});
