import { serialize } from "node:v8";
import { serveJobs } from "#kit/thread.ts";
import type { PartIdentity } from "./part.ts";
import { read, type ReadPart } from "./stages/read.ts";

/** A record to be read in a thread. */
export interface ReadJob {
  value: Uint8Array;
  identity: PartIdentity;
}

serveJobs<ReadJob, ReadPart<Uint8Array>>(({ value, identity }) => {
  const output = read(value, identity, (drafted) => new Uint8Array(serialize(drafted)));
  return { output, transfer: output.slices.map(({ drafted }) => drafted) };
});
