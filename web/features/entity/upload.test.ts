import { expect, test, vi } from "vitest";
import { chunkSize, upload, type UploadCalls } from "#web/features/entity/upload.ts";

const calls = (chunk: UploadCalls["chunk"] = () => Promise.resolve()) => ({
  begin: vi.fn(() => Promise.resolve("u1")),
  chunk: vi.fn(chunk),
  complete: vi.fn(() => Promise.resolve()),
  cancel: vi.fn(() => Promise.resolve()),
});
const options = () => ({
  signal: new AbortController().signal,
  onProgress: vi.fn(),
  isTemporary: (error: unknown) => (error as Error).message === "busy",
  pause: () => Promise.resolve(),
});
const file = (bytes: number) => new File([new Uint8Array(bytes)], "orders.csv");

test("a small file goes at once, also an empty one", async () => {
  for (const bytes of [0, 10]) {
    const to = calls();
    await upload(file(bytes), to, options());
    expect(to.begin).toHaveBeenCalledWith("orders.csv");
    expect(to.chunk.mock.calls.map(([id, index, blob]) => [id, index, blob.size]))
      .toEqual([["u1", 0, bytes]]);
    expect(to.complete).toHaveBeenCalledOnce();
    expect(to.cancel).not.toHaveBeenCalled();
  }
});

test("a large file goes in chunks, and tells how far it is", async () => {
  const [to, given] = [calls(), options()];
  await upload(file(4_500_000), to, given);
  expect(to.chunk.mock.calls.map(([, index, blob]) => [index, blob.size]))
    .toEqual([[0, 2_000_000], [1, 2_000_000], [2, 500_000]]);
  expect(given.onProgress.mock.calls.flat()).toEqual([1 / 3, 2 / 3, 1]);
});

test("no file has more chunks than the service takes", () => {
  for (const bytes of [1, 20_000_000, 5_000_000_000, 7_777_777_777]) {
    expect(Math.ceil(bytes / chunkSize(bytes))).toBeLessThanOrEqual(1_000);
  }
});

test("a chunk that fails for a while is sent again, one that is refused is not", async () => {
  const busy = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(new Error("busy"))
    .mockResolvedValue(undefined);
  await upload(file(1), calls(busy), options());
  expect(busy).toHaveBeenCalledTimes(2);
  const refused = vi.fn(() => Promise.reject(new Error("too large")));
  const to = { ...calls(refused), cancel: vi.fn(() => Promise.reject(new Error("gone"))) };
  await expect(upload(file(1), to, options())).rejects.toThrow("too large");
  expect(refused).toHaveBeenCalledOnce();
  expect(to.cancel).toHaveBeenCalledWith("u1");
});

test("what is cancelled is never completed, and is given up", async () => {
  const cancel = new AbortController();
  const chunk = vi.fn(() => Promise.resolve(cancel.abort(new Error("cancelled"))));
  const to = calls(chunk);
  await expect(upload(file(5_000_000), to, { ...options(), signal: cancel.signal }))
    .rejects.toThrow("cancelled");
  expect(chunk).toHaveBeenCalledOnce();
  expect(to.complete).not.toHaveBeenCalled();
  expect(to.cancel).toHaveBeenCalledWith("u1");
});
