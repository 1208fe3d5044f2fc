import type { TopicSpec } from "#contract/topics.ts";
import type {
  BatchHandler,
  ConsumeOptions,
  EventLog,
  LogRecord,
  NewRecord,
} from "#eventlog/port.ts";
import type { Worker } from "#kit/worker.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { freeze } from "#test/support/engines/freeze.ts";
import type { LogChildOptions, LogChildSays } from "#test/support/engines/log-child.ts";
import { type LogTarget, openLog } from "#test/support/engines/logs.ts";
import { spawnTied } from "#test/support/engines/tied.ts";

/** A clause: one promise of the port, proved on a log. Its name says the promise. */
export type Clauses = Record<string, (subject: Subject) => Promise<void>>;

export interface SubjectOptions {
  target: LogTarget;
  /** The same engine at an address where nobody answers. */
  unreachable: LogTarget;
  db: Database;
}

export interface CollectingWorker {
  worker: Worker;
  received: LogRecord[];
}

/** One engine under test: two logs on it as two processes would have, and what the clauses share. */
export class Subject {
  readonly log: EventLog;
  readonly other: EventLog;
  readonly db: Database;
  readonly #cleanUp: (() => Promise<unknown>)[] = [];

  constructor(readonly options: SubjectOptions) {
    this.log = openLog(options.target);
    this.other = openLog(options.target);
    this.db = options.db;
  }

  async close(): Promise<void> {
    await Promise.all([this.log.close(), this.other.close()]);
  }

  /** Stops what a clause started. */
  async afterEach(): Promise<void> {
    await Promise.all(this.#cleanUp.splice(0).map((stop) => stop()));
  }

  /** A fresh topic. */
  async topic(spec: Partial<TopicSpec> = {}): Promise<string> {
    const name = `topic.${crypto.randomUUID().slice(0, 8)}`;
    const standard = { partitions: 4, maxRecordBytes: 22 * 1024 * 1024, retentionMs: 3_600_000 };
    await this.log.ensureTopics([{ ...standard, name, ...spec }]);
    return name;
  }

  publish(topic: string, records: (Partial<NewRecord> & { text?: string })[]) {
    return this.log.publish(
      topic,
      records.map(({ text, ...record }) => ({
        key: null,
        headers: {},
        value: new TextEncoder().encode(text ?? ""),
        ...record,
      })),
      { timeoutMs: 20_000 },
    );
  }

  /** A started consumer; stopped after the clause, if not before. */
  async consume(
    options: Partial<ConsumeOptions> & { topic: string; handler: BatchHandler },
    log = this.log,
  ): Promise<Worker> {
    const standard = { group: "group", maxRecords: 100, maxBytes: 1_000_000, concurrency: 4 };
    const worker = log.consumer({ ...standard, ...options });
    this.#cleanUp.push(() => worker.stop());
    await worker.start((error) => {
      throw error;
    });
    await eventually(() => {
      if (worker.health().state !== "running") throw new Error(worker.health().state);
    });
    return worker;
  }

  /** A consumer that takes all it is given. */
  async collect(
    options: Partial<ConsumeOptions> & { topic: string },
    log = this.log,
  ): Promise<CollectingWorker> {
    const received: LogRecord[] = [];
    const handler: BatchHandler = (records) => {
      received.push(...records);
      return Promise.resolve();
    };
    return { worker: await this.consume({ handler, ...options }, log), received };
  }

  /** Consumes in another process, see `log-child.ts`. */
  spawn(options: Omit<LogChildOptions, "target">): ChildConsumer {
    const child = new ChildConsumer({ target: this.options.target, ...options });
    this.#cleanUp.push(() => child.kill());
    return child;
  }
}

export class ChildConsumer {
  readonly said: LogChildSays[] = [];
  readonly #process;
  #errors = "";

  constructor(options: LogChildOptions) {
    const script = new URL("../../support/engines/log-child.ts", import.meta.url).pathname;
    this.#process = spawnTied(process.execPath, ["run", "-A", "--no-check", script], {
      env: { ...process.env, LOG_CHILD: JSON.stringify(options) },
      onLine: (line, stream) => {
        if (stream === "stdout") this.said.push(JSON.parse(line));
        else this.#errors += `${line}\n`;
      },
    });
  }

  /** Waits until it has said something of this kind. */
  heard<K extends keyof LogChildSays>(what: K): Promise<NonNullable<LogChildSays[K]>> {
    return eventually(() => {
      const found = this.said.findLast((said) => said[what] !== undefined);
      if (!found) throw new Error(`${what} was not heard ${this.#errors}`);
      return found[what]!;
    });
  }

  async pause(): Promise<void> {
    await freeze(await this.#process.pid);
  }

  resume(): Promise<void> {
    return this.#process.signal("SIGCONT");
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }
}

export const text = (record: { value: Uint8Array }) => new TextDecoder().decode(record.value);

/** Numbers from 0 up to, not including, `n`. */
export const range = (n: number) => Array.from({ length: n }, (_, i) => i);
