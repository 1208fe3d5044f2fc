import { tracesSpans } from "#contract/topics.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ensureTopics, type OpenContext, openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { factAttributes, factsOf, pack } from "#services/trace-gateway/facts/index.ts";
import { decodeProtobuf } from "#services/trace-gateway/otlp/protobuf.ts";
import { KeyMatcher } from "#services/trace-gateway/otlp/decoding.ts";
import { timed } from "../support/measure.ts";
import type { Subject } from "../support/subject.ts";
import type { Payload } from "./payloads.ts";

const wanted = new KeyMatcher(factAttributes);

/** Bare decoding, then bare production of the same facts into the same engine, in a single thread. */
export class Yardstick {
  private constructor(private readonly opened: OpenContext, private readonly partitions: number) {}

  /** Opens the subject's engines under a separate instance name. */
  static async open(subject: Subject): Promise<Yardstick> {
    const config = loadConfig({
      env: { ...subject.env, INSTANCE: `${subject.instance}_bare`, DATA_DIR: subject.dataDir },
    });
    const log = silentLogger;
    const opened = await openContext({ config, log, metrics: noMetrics, embedded: "attach" });
    await ensureTopics(opened.context);
    return new Yardstick(opened, config["event-log"].kafka.partitions);
  }

  /** Processes all requests one after the other; returns the milliseconds. */
  run(requests: Payload[]): Promise<number> {
    const { events } = this.opened.context;
    return timed(async () => {
      for (const { body } of requests) {
        const { facts } = factsOf(decodeProtobuf(body, wanted).resourceSpans);
        await events.publish(tracesSpans, pack(facts, this.partitions), { timeoutMs: 30_000 });
      }
    });
  }

  close(): Promise<void> {
    return this.opened.close();
  }
}
