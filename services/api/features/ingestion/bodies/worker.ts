import { serveJobs } from "#kit/thread.ts";
import { type BodyName, readBody } from "./read.ts";
import { prepareBatch } from "../batches/prepare.ts";

/** What a body that comes with it is to be read as. */
export interface PrepareJob {
  name: "batch" | BodyName;
}

serveJobs<PrepareJob, unknown>(({ name }, body) =>
  name === "batch" ? prepareBatch(body) : readBody(name, body)
);
