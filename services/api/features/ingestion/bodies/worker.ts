import type { Inspected } from "#contract/ingestion/inspect.ts";
import { serveJobs } from "#kit/thread.ts";
import { type BodyName, readBody } from "./read.ts";
import { prepareBatch } from "../batches/prepare.ts";

/** How to read the body that comes with it. */
export interface PrepareJob {
  name: "batch" | BodyName;
  /** The pool's inspection of a batch, if it made one. */
  inspected?: Inspected | undefined;
}

serveJobs<PrepareJob, unknown>(({ name, inspected }, body) =>
  name === "batch" ? prepareBatch(body, inspected) : readBody(name, body)
);
