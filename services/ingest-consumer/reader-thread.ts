import { serialize } from "node:v8";
import { serveJobs } from "#kit/thread.ts";
import type { PartIdentity } from "./part.ts";
import { read, type ReadPart } from "./stages/read.ts";

serveJobs<PartIdentity, ReadPart<Uint8Array>>((identity, value) =>
  read(value, identity, (drafted) => new Uint8Array(serialize(drafted)))
);
