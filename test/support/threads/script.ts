import { badRequest, PermanentError } from "#kit/errors.ts";
import { threadId } from "node:worker_threads";
import { serveJobs } from "#kit/thread.ts";

/** What a test can make a thread do. */
export type Play = {
  do: "double" | "number" | "refuse" | "refuse for good" | "never end" | "grow" | "exit" | "hold";
};

/** What a job left behind. */
let allocated: unknown;

serveJobs((play: Play, bytes: Uint8Array) => {
  switch (play.do) {
    case "double":
      return bytes.length * 2;
    case "number":
      return threadId;
    case "refuse":
      throw badRequest("no", [{ field: "f", message: "m" }]);
    case "refuse for good":
      throw new PermanentError("bad", "never", [{ field: "f", message: "m" }]);
    case "never end":
      for (;;);
    case "grow": {
      const buffer: unknown[] = [];
      for (;;) buffer.push({ a: [{ b: buffer.length }] });
    }
    case "hold":
      // 128 MB in large pages, which the collector does not move: with the rest of the heap it is more than a
      // thread without a job may keep, and less than it may keep between two jobs.
      allocated = Array.from({ length: 128 }, () => new Array(131_072).fill(0.5));
      return (allocated as unknown[]).length;
    case "exit":
      setTimeout(() => {
        throw new Error("broken outside of a job");
      });
      return 0;
  }
});
