import type { Row } from "../support/report.ts";
import { type EngineSet, startSubject } from "../support/subject.ts";
import { type EventFloodSize, flood } from "./flood.ts";
import { latency } from "./latency.ts";
import { throughput, type ThroughputSize } from "./throughput.ts";
import { Yardsticks } from "./yardsticks.ts";

export interface OpenLineageSize {
  throughput: ThroughputSize[];
  /** Events whose way is timed one by one. */
  events: number;
  flood: EventFloodSize;
}

export const openLineageSizes: Record<"small" | "full", OpenLineageSize> = {
  small: {
    throughput: [{ jobs: 10, rounds: 1, each: 1 }, { jobs: 30, rounds: 1, each: 20 }],
    events: 3,
    flood: { jobs: 20, each: 10, batches: 2, rounds: 1 },
  },
  full: {
    throughput: [{ jobs: 1_000, rounds: 5, each: 1 }, { jobs: 2_000, rounds: 5, each: 100 }],
    events: 60,
    flood: { jobs: 2_500, each: 100, batches: 60, rounds: 3 },
  },
};

/** OpenLineage events from HTTP to the catalogue, and what a flood of them costs collectors. */
export async function openLineageBench(engines: EngineSet, size: OpenLineageSize): Promise<Row[]> {
  // Long enough for a busy machine: an answer that comes before the batch is visible measures nothing.
  const subject = await startSubject(engines, { env: { INGESTION_ACK_TIMEOUT: "60 s" } });
  try {
    const yardsticks = await Yardsticks.open(subject);
    try {
      const rows: Row[] = [];
      for (const each of size.throughput) rows.push(...await throughput(subject, yardsticks, each));
      rows.push(...await latency(subject, yardsticks, size.events));
      rows.push(...await flood(subject, size.flood));
      return rows;
    } finally {
      await yardsticks.close();
    }
  } finally {
    await subject.stop();
  }
}
