import { type Row, row } from "../support/report.ts";
import { startSubject, type Subject } from "../support/subject.ts";

/** Time to start, and memory of the process when idle and while it ingests batches of 20 MB. */
export async function startBench(): Promise<Row[]> {
  const first = await startSubject("embedded");
  const rows = [
    measurement("ready on an empty data directory", "s", first.readyMs / 1_000, "≤ 15 s", 15),
  ];
  await first.stop({ keepData: true });
  const restarted = await startSubject("embedded", {
    dataDir: first.dataDir,
    env: { INSTANCE: first.instance },
  });
  rows.push(
    measurement("ready on an existing data directory", "s", restarted.readyMs / 1_000, "≤ 5 s", 5),
  );
  try {
    rows.push(
      measurement("memory right after the start", "MB", restarted.rssMb(), "≤ 350 MB", 350),
    );
    rows.push(
      measurement(
        "memory while applying 20 MB batches",
        "MB",
        await peak(restarted),
        "≤ 700 MB",
        700,
      ),
    );
  } finally {
    await restarted.stop();
  }
  return rows;
}

function measurement(name: string, unit: string, ours: number, goal: string, limit: number): Row {
  const given = {
    bench: "start",
    engines: "embedded",
    case: name,
    unit,
    ours,
    yardstick: null,
    goal,
  };
  return row(given, () => ours <= limit);
}

const source = "//bench/large";

/** A batch of nearly 20 MB: tables with 50 columns that have descriptions. */
function largeBatch(round: number): string {
  const items: string[] = [];
  for (let size = 0, n = 0; size < 19_500_000; n++) {
    const item = JSON.stringify(largeTable(round, n));
    items.push(item);
    size += item.length + 1;
  }
  return `{"data_source_catrn":"${source}","items":[${items.join(",")}]}`;
}

function largeTable(round: number, n: number) {
  const catrn = `${source}/tables/${n}`;
  return {
    catrn,
    name: `table_${n}`,
    type: "TABLE",
    description: `Round ${round}: ${"a long description ".repeat(20)}`,
    dataset: {
      field_list: Array.from({ length: 50 }, (_, at) => ({
        catrn: `${catrn}/columns/${at}`,
        name: `column_${at}`,
        description: `Column ${at} of round ${round}: ${"words about it ".repeat(10)}`,
        type: { type: "TYPE_STRING", logical_type: "text", is_nullable: true },
      })),
    },
  };
}

async function peak(subject: Subject): Promise<number> {
  await subject.post("/ingestion/datasources", { items: [{ catrn: source, name: "Large" }] });
  let highest = 0;
  const watch = setInterval(() => highest = Math.max(highest, subject.rssMb()), 50);
  try {
    for (let round = 0; round < 4; round++) {
      const response = await subject.post("/ingestion/entities", largeBatch(round));
      if (!response.ok) {
        throw new Error(`a large batch: ${response.status} ${await response.text()}`);
      }
    }
    await drained(subject);
  } finally {
    clearInterval(watch);
  }
  return highest;
}

/** Waits until every part of the batches has been processed. */
async function drained(subject: Subject): Promise<void> {
  let before = -1;
  for (;;) {
    const [row] = await subject.db.query<{ n: number }>(
      "SELECT count(*)::bigint AS n FROM applied_batch",
    );
    if (row!.n === before) return;
    before = row!.n;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}
