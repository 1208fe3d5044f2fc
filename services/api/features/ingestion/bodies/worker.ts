import type { Inspected } from "#contract/ingestion/inspect.ts";
import { serveJobs } from "#kit/thread.ts";
import { type BodyName, readBody } from "./read.ts";
import { prepareBatch } from "../batches/prepare.ts";

/** What a body that comes with it is to be read as. */
export interface PrepareJob {
  name: "batch" | BodyName;
  /** What the pool saw of a batch already. */
  inspected?: Inspected | undefined;
}

serveJobs<PrepareJob, unknown>(({ name, inspected }, body) =>
  name === "batch" ? prepareBatch(body, inspected) : readBody(name, body)
);
