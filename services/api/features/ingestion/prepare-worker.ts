import { serveJobs } from "#kit/thread.ts";
import { type BodyName, readBody } from "./bodies.ts";
import { prepareBatch } from "./prepare.ts";

/** A body to be read in a thread. */
export interface PrepareJob {
  name: "batch" | BodyName;
  body: Uint8Array;
}

serveJobs<PrepareJob, unknown>(({ name, body }: PrepareJob) => {
  if (name !== "batch") return { output: readBody(name, body) };
  const batch = prepareBatch(body);
  return { output: batch, transfer: batch.parts.map((part) => part.body) };
});
