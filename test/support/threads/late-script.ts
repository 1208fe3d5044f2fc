import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { serveJobs } from "#kit/thread.ts";

// Modules that compile WebAssembly make a thread wait like this before it serves.
await setTimeout(200);

serveJobs<unknown, number>((_, bytes) => Buffer.from(bytes).length);
