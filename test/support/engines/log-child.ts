import type { BatchContext, LogRecord } from "#eventlog/port.ts";
import { type LogTarget, openLog } from "#test/support/engines/logs.ts";

/** What the parent passes in `LOG_CHILD`. */
export interface LogChildOptions {
  target: LogTarget;
  group: string;
  topic: string;
}

/**
 * A consumer in a process of its own, to be killed or stopped. It says which records it was given,
 * holds them until it finds that it was stopped for a while, and then says whether it may still mark
 * them done.
 */
export interface LogChildSays {
  running?: true;
  got?: { partition: number; offsets: number[] };
  heartbeat?: "kept" | "lost";
  done?: "kept" | "lost";
}

const options: LogChildOptions = JSON.parse(process.env.LOG_CHILD!);
const say = (what: LogChildSays) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function stoppedForLong(since: number): Promise<void> {
  for (let at = since;; at = Date.now()) {
    await new Promise((tick) => setTimeout(tick, 20));
    if (Date.now() - at > options.target.sessionMs / 2) return;
  }
}

async function outcome(work: Promise<void>): Promise<"kept" | "lost"> {
  return await work.then(() => "kept" as const, () => "lost" as const);
}

async function handler(records: LogRecord[], context: BatchContext): Promise<void> {
  // From before it is said: who hears it may stop us at once.
  const since = Date.now();
  say({ got: { partition: records[0]!.partition, offsets: records.map((r) => r.offset) } });
  await stoppedForLong(since);
  say({ heartbeat: await outcome(context.heartbeat()) });
  say({ done: await outcome(context.done(records.at(-1)!.offset)) });
}

const log = openLog(options.target);
const worker = log.consumer({ ...options, handler, maxRecords: 10, maxBytes: 1e6, concurrency: 1 });
await worker.start((error) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
say({ running: true });
