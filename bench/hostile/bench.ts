import { type Honest, honestKinds, honestUse, startHostile } from "#test/hardening/hostile.ts";
import { percentile } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { type EngineSet, startSubject } from "../support/subject.ts";

export interface HostileSize {
  /** Milliseconds of each round; rounds with and without the hostile client alternate. */
  roundMs: number;
  rounds: number;
}

export const hostileSizes = {
  small: { roundMs: 2_000, rounds: 1 },
  full: { roundMs: 10_000, rounds: 6 },
} as const satisfies Record<string, HostileSize>;

type Times = Record<Honest, number[]>;

/** p99 latency of four honest clients beside a hostile one, compared with the same clients alone. */
export async function hostileBench(engines: EngineSet, size: HostileSize): Promise<Row[]> {
  const [http, grpc] = [String(await freePort()), String(await freePort())];
  const env = { TRACES_HTTP_PORT: http, TRACES_GRPC_PORT: grpc };
  const subject = await startSubject(engines, { env });
  const addresses = {
    url: subject.url,
    otlp: `http://127.0.0.1:${http}`,
    grpc: `127.0.0.1:${grpc}`,
  };
  try {
    await honestUse(addresses, Math.min(2_000, size.roundMs));
    const [alone, attacked] = [times(), times()];
    const failures: string[] = [];
    for (let round = 0; round < size.rounds; round++) {
      keep(alone, (await honestUse(addresses, size.roundMs)).times);
      const hostile = startHostile(addresses);
      const seen = await honestUse(addresses, size.roundMs);
      await hostile.stop();
      keep(attacked, seen.times);
      failures.push(...seen.failures);
    }
    return rowsOf(engines, alone, attacked, failures);
  } finally {
    await subject.stop();
  }
}

const times = (): Times => ({ lineage: [], search: [], ingestion: [], traces: [] });

function keep(all: Times, more: Times): void {
  for (const kind of honestKinds) all[kind].push(...more[kind]);
}

function rowsOf(engines: EngineSet, alone: Times, attacked: Times, failures: string[]): Row[] {
  const p99 = (list: number[]) => percentile([...list].sort((a, b) => a - b), 0.99);
  const of = (name: string, ours: number[], yardstick: number[], note?: string) =>
    row(
      {
        bench: "hostile",
        engines,
        case: `${name} beside a hostile client, p99`,
        unit: "ms",
        ours: p99(ours),
        yardstick: p99(yardstick),
        goal: "≤ 2 ×",
        note,
      },
      (ratio) => ratio !== null && ratio <= 2 && failures.length === 0,
    );
  const failed = failures.length > 0 ? `${failures.length} failed: ${failures[0]}` : undefined;
  return [
    of("all four", Object.values(attacked).flat(), Object.values(alone).flat(), failed),
    ...honestKinds.map((kind) => ({
      ...of(kind, attacked[kind], alone[kind]),
      goal: "",
      met: null,
    })),
  ];
}
