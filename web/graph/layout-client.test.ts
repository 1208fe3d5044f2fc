import { describe, expect, it } from "vitest";
import { LayoutCancelledError, LayoutClient, type LayoutWorker } from "#web/graph/layout-client.ts";
import {
  type LayoutAnswer,
  type LayoutRequest,
  type Port,
  serveLayouts,
} from "#web/graph/layout-port.ts";
import { layoutOf } from "#web/graph/layout/layout.ts";
import { inputOf } from "#web/graph/testing/layouts.ts";

const small = inputOf(3, [[0, 1], [1, 2]]);

/** A worker that answers when it is told to, and a list of what happened to it. */
function handWorker() {
  const requests: LayoutRequest[] = [];
  const worker: LayoutWorker & { ended: number } = {
    onmessage: null,
    onerror: null,
    postMessage: (request) => void requests.push(request),
    terminate: () => void worker.ended++,
    ended: 0,
  };
  const answer = (given: Partial<LayoutAnswer> = {}) =>
    worker.onmessage?.({ data: { id: requests.at(-1)!.id, layout: layoutOf(small), ...given } });
  return { worker, requests, answer };
}

describe("the client of the layout worker", () => {
  it("answers with what the worker of the product lays out", async () => {
    const url = new URL("./layout.worker.ts", import.meta.url);
    const client = new LayoutClient(() =>
      new Worker(url, { type: "module" }) as unknown as LayoutWorker
    );
    expect(await client.layout(small)).toEqual(layoutOf(small));
    client.close();
  });

  it("lays out in this thread where no worker can be made", async () => {
    const client = new LayoutClient(() => {
      throw new Error("refused by policy");
    });
    expect(await client.layout(small)).toEqual(layoutOf(small));
  });

  it("lays out in this thread where the worker breaks before its first answer", async () => {
    const { worker } = handWorker();
    const client = new LayoutClient(() => worker);
    const layout = client.layout(small);
    worker.onerror?.({ message: "cannot load" });
    expect(await layout).toEqual(layoutOf(small));
    expect(worker.ended).toBe(1);
  });

  it("a request that its caller gave up before asking cancels no other", async () => {
    const { worker, answer } = handWorker();
    const client = new LayoutClient(() => worker);
    const wanted = client.layout(small);
    await expect(client.layout(small, AbortSignal.abort())).rejects
      .toBeInstanceOf(LayoutCancelledError);
    answer();
    expect(await wanted).toEqual(layoutOf(small));
  });

  it("cancels a request for a newer one, whose answer alone counts", async () => {
    const { worker, requests, answer } = handWorker();
    const client = new LayoutClient(() => worker);
    const first = client.layout(small);
    const second = client.layout(small);
    await expect(first).rejects.toBeInstanceOf(LayoutCancelledError);
    answer({ id: requests[0]!.id, layout: undefined, error: "late" });
    answer();
    expect((await second).x).toHaveLength(3);
  });

  it("cancels by a signal, before and after it is asked", async () => {
    const { worker, requests } = handWorker();
    const client = new LayoutClient(() => worker);
    const stop = new AbortController();
    const layout = client.layout(small, stop.signal);
    stop.abort();
    await expect(layout).rejects.toBeInstanceOf(LayoutCancelledError);
    await expect(client.layout(small, stop.signal)).rejects.toBeInstanceOf(LayoutCancelledError);
    expect(requests).toHaveLength(1);
  });

  it("gives up after its time, ends the worker, and starts another one", async () => {
    const made = [handWorker(), handWorker()];
    let count = 0;
    const client = new LayoutClient(() => made[count++]!.worker, { timeoutMs: 5 });
    await expect(client.layout(small)).rejects.toThrow("no layout within 5 ms");
    expect(made[0]!.worker.ended).toBe(1);
    const repeated = client.layout(small);
    made[1]!.answer();
    expect((await repeated).x).toHaveLength(3);
  });

  it("fails with what the worker tells, and when it breaks later", async () => {
    const { worker, answer } = handWorker();
    const client = new LayoutClient(() => worker);
    const requests = client.layout(small);
    answer({ layout: undefined, error: "RangeError: too large" });
    await expect(requests).rejects.toThrow("too large");
    const broken = client.layout(small);
    worker.onerror?.({ message: "out of memory" });
    await expect(broken).rejects.toThrow("out of memory");
  });
});

describe("the worker", () => {
  it("lays out the newest of the requests that wait, and hands its buffers over", () => {
    const answers: { answer: LayoutAnswer; transfer: unknown[] }[] = [];
    const port: Port = {
      onmessage: null,
      postMessage: (answer, transfer) => void answers.push({ answer, transfer }),
    };
    const works: (() => void)[] = [];
    serveLayouts(port, (work) => void works.push(work));
    for (const id of [1, 2, 3]) port.onmessage!({ data: { id, input: small } });
    for (const work of works) work();
    expect(answers.map(({ answer }) => [answer.id, answer.layout !== undefined]))
      .toEqual([[1, false], [2, false], [3, true]]);
    expect(answers[2]!.transfer).toHaveLength(6);
  });

  it("answers with the error of a layout that fails", () => {
    const answers: LayoutAnswer[] = [];
    const port: Port = { onmessage: null, postMessage: (answer) => void answers.push(answer) };
    serveLayouts(port, (work) => work());
    port.onmessage!({ data: { id: 7, input: null as never } });
    expect(answers[0]).toMatchObject({ id: 7, error: expect.stringContaining("TypeError") });
  });
});
