import { serialize } from "node:v8";
import { serveJobs } from "#kit/thread.ts";
import type { ReadJob } from "./reader.ts";
import { read, type ReadRecord } from "./stages/read.ts";

serveJobs<ReadJob, ReadRecord<Uint8Array>>(({ identity, inspected }, body) =>
  read(body, identity, (drafted) => new Uint8Array(serialize(drafted)), inspected)
);
