import { parseLsn } from "#metadata/postgres/history/compare.ts";
import { Buffer } from "node:buffer";
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from "pg-logical-replication";
import { withTimeout } from "#kit/retry.ts";
import type { SlotNames } from "#platform/ops/slot.ts";
import { ReaderProblem } from "./status.ts";

/** A message of the log that could not be decoded. */
interface Unreadable {
  tag: "unreadable";
  bytes: Buffer;
  error: unknown;
}

export type StreamMessage = Pgoutput.Message | Unreadable;

interface StreamOptions {
  url: string;
  names: SlotNames;
  /** What the slot has confirmed. */
  confirmed: Lsn;
  /** Takes messages one by one; while its promise is open, further ones wait. */
  onMessage: (message: StreamMessage) => Promise<void> | void;
  /** Whether a message need not be handed over. */
  isKnown?: (message: StreamMessage) => boolean;
  /** Messages that may wait; with one more the stream ends as `overloaded`. */
  maxWaiting?: number;
  /** All that was committed before this place was handed over. */
  onReached: (lsn: Lsn) => void;
}

/** Milliseconds of silence after which the server frees the slot of a reader that vanished. */
const senderTimeoutMs = 6_000;
/** Milliseconds between two signs of life from us. */
const keepaliveMs = 1_500;
/**
 * Milliseconds without data from the server, which answers our keepalives, until it is considered lost. Not
 * short: it may be decoding one large transaction of others.
 */
const silenceMs = 30_000;
/** Messages that may wait, of a few hundred bytes each. */
const defaultMaxWaiting = 50_000;

/**
 * One connection that reads the slot. A fresh one is made for each attempt: the library would start
 * a second run after what it received, not after what was confirmed.
 */
export class SlotStream {
  /** Rejects when the connection ends without having been closed. */
  readonly failed: Promise<never>;
  readonly #service: LogicalReplicationService;
  #fail: (error: unknown) => void = () => {};
  #confirmed: Lsn;
  #received = 0;
  #handled = 0;
  #heardAt = Date.now();
  #keepalives: ReturnType<typeof setInterval> | undefined;
  #onHeard: (() => void) | undefined;
  #waiting: StreamMessage[] = [];
  #handing = false;
  #closed = false;

  constructor(private readonly options: StreamOptions) {
    this.#confirmed = options.confirmed;
    this.failed = new Promise((_, reject) => void (this.#fail = reject));
    this.failed.catch(() => {});
    this.#service = new LogicalReplicationService({
      connectionString: withSettings(options.url),
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      application_name: `tributary notifier ${options.names.slot}`,
    }, {
      // By itself the library would confirm what was received and not yet published.
      acknowledge: { auto: false, timeoutSeconds: 0 },
      // It would pause the socket, and bytes of a paused socket get lost on this runtime (2.7.7).
      flowControl: { enabled: false },
    });
  }

  /** Returns once PostgreSQL gave us the slot; rejects with its error, 55006 when another reads. */
  async open(): Promise<void> {
    const service = this.#service;
    service.on("error", (error) => this.#fail(error));
    service.on("data", (_lsn: string, message: StreamMessage) => this.#wait(message));
    service.on("heartbeat", (lsn, _at, shouldRespond) => this.#heard(parseLsn(lsn), shouldRespond));
    const started = new Promise<void>((done) => service.on("start", () => done()));
    const plugin = carefulPlugin(this.options.names.publication, () => this.#arrived());
    service.subscribe(plugin, this.options.names.slot, "0/0").then(
      () => this.#fail(new Error("replication was ended by the server")),
      (error) => this.#fail(error),
    );
    const late = () => new Error("replication did not start: timeout");
    await withTimeout(Promise.race([started, this.failed]), 15_000, late);
    this.#heardAt = Date.now();
    this.#keepalives = setInterval(() => this.#keepalive(), keepaliveMs);
  }

  /** Everything before `lsn` is safe; the slot may forget it. */
  confirm(lsn: Lsn): void {
    if (lsn <= this.#confirmed) return;
    this.#confirmed = lsn;
    this.#acknowledge(false);
  }

  get confirmed(): Lsn {
    return this.#confirmed;
  }

  /** Milliseconds are short: sends the confirmed position to the server and waits for its acknowledgement. */
  async flush(): Promise<void> {
    const heard = new Promise<void>((done) => void (this.#onHeard = done));
    this.#acknowledge(true);
    await withTimeout(heard, 1_000, () => new Error("no answer")).catch(() => {});
  }

  /** Gives the slot up. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting = [];
    clearInterval(this.#keepalives);
    const late = () => new Error("the connection did not close");
    await withTimeout(this.#service.stop(), 2_000, late).catch(() => {});
  }

  #wait(message: StreamMessage): void {
    if (this.#closed) return;
    const { isKnown, maxWaiting = defaultMaxWaiting } = this.options;
    if (isKnown?.(message)) return void this.#handled++;
    this.#waiting.push(message);
    if (this.#received - this.#handled > maxWaiting) {
      this.#closed = true;
      return this.#fail(
        new ReaderProblem(
          "overloaded",
          `more than ${maxWaiting} changes came than could be announced`,
        ),
      );
    }
    if (!this.#handing) void this.#hand();
  }

  async #hand(): Promise<void> {
    this.#handing = true;
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting;
        this.#waiting = [];
        for (const message of batch) {
          if (this.#closed) return;
          await this.options.onMessage(message);
          this.#handled++;
        }
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#handing = false;
    }
  }

  #arrived(): void {
    this.#received++;
    this.#heardAt = Date.now();
  }

  #heard(lsn: Lsn, shouldRespond: boolean): void {
    this.#heardAt = Date.now();
    if (this.#received === this.#handled) this.options.onReached(lsn);
    if (shouldRespond) this.#acknowledge(false);
    this.#onHeard?.();
  }

  #keepalive(): void {
    const reading = this.#received === this.#handled;
    if (!reading) this.#heardAt = Date.now();
    if (Date.now() - this.#heardAt > silenceMs) {
      return this.#fail(new Error("replication: the server does not answer (timeout)"));
    }
    this.#acknowledge(true);
  }

  /** The library adds one to what it is given, and a commit that begins right there would be lost. */
  #acknowledge(ping: boolean): void {
    this.#service.acknowledge(formatLsn(this.#confirmed - 1n), ping).catch(this.#fail);
  }
}

/** pgoutput whose decoder never throws: it is called where nobody could catch that. */
function carefulPlugin(publication: string, arrived: () => void) {
  const options = { protoVersion: 1 as const, publicationNames: [publication] };
  const plugin = new PgoutputPlugin(options);
  return {
    options,
    name: plugin.name,
    start: plugin.start.bind(plugin),
    parse(bytes: Buffer): StreamMessage {
      arrived();
      try {
        return plugin.parse(bytes);
      } catch (error) {
        return { tag: "unreadable", bytes: Buffer.from(bytes), error };
      }
    },
  };
}

/** Adds our settings to those that the URL has. */
function withSettings(url: string): string {
  const target = new URL(url);
  const own = `-c wal_sender_timeout=${senderTimeoutMs} -c datestyle=ISO`;
  const given = target.searchParams.get("options");
  target.searchParams.set("options", given ? `${given} ${own}` : own);
  return target.href;
}

/** A place in the write-ahead log as a number; PostgreSQL writes it `16/B374D848`. */
export type Lsn = bigint;

function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}
