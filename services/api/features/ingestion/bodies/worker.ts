import type { JsonInspection } from "#contract/ingestion/inspect.ts";
import { serveJobs } from "#kit/thread.ts";
import { type BodyName, readBody } from "./read.ts";
import { prepareBatch } from "../batches/prepare.ts";

/** How to read the body that comes with it. */
export interface PrepareJob {
  name: "batch" | BodyName;
  /** The pool's inspection of a batch, if it made one. */
  inspected?: JsonInspection | undefined;
  /** Whether what is read of a batch is wanted along with it. */
  withDrafts?: boolean;
}

serveJobs<PrepareJob, unknown>(({ name, inspected, withDrafts }, body) =>
  name === "batch" ? prepareBatch(body, inspected, withDrafts) : readBody(name, body)
);
