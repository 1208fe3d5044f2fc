import { expect, it } from "vitest";
import type { Clock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Supervisor, type SupervisorOptions } from "#kit/supervisor.ts";
import type { Worker } from "#kit/worker.ts";

/** A worker that the test can crash, and that records the calls made to it. */
class Puppet implements Worker {
  readonly done: string[] = [];
  crash: (error: unknown) => void = () => {};
  onStart: () => Promise<void> = () => Promise.resolve();
  onStop: () => Promise<void> = () => Promise.resolve();

  constructor(readonly name: string) {}

  async start(onCrash: (error: unknown) => void): Promise<void> {
    this.crash = onCrash;
    await this.onStart();
    this.done.push("start");
  }

  async stop(): Promise<void> {
    this.done.push("stop");
    await this.onStop();
  }

  health() {
    return { ready: true, state: "running" };
  }
}

/** A clock that only sleeping advances; `slept` holds the waits in milliseconds. */
class Sleepy implements Clock {
  at = 0;
  readonly slept: number[] = [];
  now = () => this.at;
  async sleep(ms: number): Promise<void> {
    this.at += ms;
    this.slept.push(ms);
    await settled();
  }
}

/** Resolves after everything that is already due has run. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

function supervised(workers: Worker[], given: Partial<SupervisorOptions> = {}) {
  const clock = new Sleepy();
  const exhausted: string[] = [];
  const supervisor = new Supervisor(workers, {
    log: silentLogger,
    metrics: noMetrics,
    giveUp: (worker) => void exhausted.push(worker),
    clock,
    ...given,
  });
  return { supervisor, clock, exhausted };
}

it("a worker that crashes is stopped and started again", async () => {
  const worker = new Puppet("one");
  const { supervisor, exhausted } = supervised([worker]);
  await supervisor.start();
  worker.crash(new Error("broken"));
  expect(supervisor.health()).toEqual({
    one: { ready: false, state: "restarting", detail: "broken" },
  });
  await settled();
  expect(worker.done).toEqual(["start", "stop", "start"]);
  expect(supervisor.health().one).toEqual({ ready: true, state: "running" });
  await supervisor.stop();
  expect(exhausted).toEqual([]);
});

it("one that crashes on and on has failed permanently by name and cause, and tried every minute on", async () => {
  const [bad, good] = [new Puppet("bad"), new Puppet("good")];
  const { supervisor, clock, exhausted } = supervised([bad, good]);
  await supervisor.start();
  bad.onStart = () => Promise.reject(new Error("poisoned"));
  bad.crash(new Error("poisoned"));
  while (clock.slept.length < 20) await settled();
  expect(exhausted).toEqual(["bad"]);
  expect(supervisor.health()).toEqual({
    bad: { ready: false, state: "given_up", detail: "restart failed: poisoned" },
    good: { ready: true, state: "running" },
  });
  expect(clock.slept.slice(0, 7).every((ms) => ms <= 15_000)).toBe(true);
  expect(clock.slept.slice(8).every((ms) => ms >= 30_000 && ms <= 60_000)).toBe(true);
  expect(good.done).toEqual(["start"]);
  bad.onStart = () => Promise.resolve();
  while (bad.done.at(-1) !== "start") await settled();
  expect(supervisor.health().bad?.state).toBe("given_up");
  clock.at += 60_001;
  expect(supervisor.health().bad).toEqual({ ready: true, state: "running" });
  await supervisor.stop();
});

it("one that recovered and then fails again has failed permanently again, after as many failures", async () => {
  const worker = new Puppet("one");
  const { supervisor, clock, exhausted } = supervised([worker], { maxFailures: 3 });
  await supervisor.start();
  for (const round of [1, 2]) {
    for (let failure = 1; failure <= 3; failure++) {
      expect(exhausted).toHaveLength(round - 1);
      worker.crash(new Error("broken"));
      await settled();
    }
    expect(exhausted).toHaveLength(round);
    clock.at += 60_001;
  }
  await supervisor.stop();
});

it("a worker that crashes while it starts is restarted once, not twice at a time", async () => {
  const worker = new Puppet("one");
  let starts = 0;
  worker.onStart = () => {
    if (++starts !== 2) return Promise.resolve();
    worker.crash(new Error("at once"));
    return Promise.reject(new Error("and again"));
  };
  const { supervisor } = supervised([worker]);
  await supervisor.start();
  worker.crash(new Error("broken"));
  while (worker.done.filter((what) => what === "start").length < 2) await settled();
  await settled();
  expect(worker.done).toEqual(["start", "stop", "stop", "start"]);
  expect(supervisor.health().one?.state).toBe("running");
  await supervisor.stop();
});

it("one that crashes while it is first started is started again, one that refuses to start is not", async () => {
  const [early, refusing] = [new Puppet("early"), new Puppet("refusing")];
  early.onStart = () => {
    if (early.done.length === 0) early.crash(new Error("at once"));
    return Promise.resolve();
  };
  refusing.onStart = () => Promise.reject(new Error("no port"));
  const { supervisor } = supervised([early, refusing]);
  await expect(supervisor.start()).rejects.toThrow("no port");
  while (early.done.length < 3) await settled();
  expect(early.done).toEqual(["start", "stop", "start"]);
  await supervisor.stop();
  expect(refusing.done).toEqual(["stop"]);
});

it("no worker is started after stop, and stop waits for the restart in flight", async () => {
  const worker = new Puppet("one");
  const { supervisor } = supervised([worker]);
  await supervisor.start();
  let stopped = () => {};
  worker.onStop = () => new Promise((resolve) => stopped = resolve);
  worker.crash(new Error("broken"));
  while (worker.done.at(-1) !== "stop") await settled();
  let over = false;
  const stopping = supervisor.stop().then(() => over = true);
  await settled();
  expect(over).toBe(false);
  worker.onStop = () => Promise.resolve();
  stopped();
  await stopping;
  await settled();
  expect(worker.done.filter((what) => what === "start")).toHaveLength(1);
  expect(worker.done.at(-1)).toBe("stop");
});

it("a worker that is being started while stop is called is stopped", async () => {
  const [slow, next] = [new Puppet("slow"), new Puppet("next")];
  let started = () => {};
  slow.onStart = () => new Promise((resolve) => started = resolve);
  const { supervisor } = supervised([slow, next]);
  const starting = supervisor.start();
  const stopping = supervisor.stop();
  started();
  await Promise.all([starting, stopping]);
  expect(slow.done).toEqual(["start", "stop"]);
  expect(next.done).not.toContain("start");
});
