import process from "node:process";
import {
  callersEnv,
  honestCallers,
  hostilities,
  prepared,
  startHostileCaller,
} from "#test/hardening/callers.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { percentile } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject } from "../support/subject.ts";
import type { HostileSize } from "./bench.ts";

/**
 * p99 of four honest callers beside one hostile caller of each kind, compared with the same four alone, round by round; on
 * the distributed engines at two replicas of `api` that share Redis.
 */
export async function hostileCallersBench(engines: EngineSet, size: HostileSize): Promise<Row[]> {
  const subject = await startSubject(engines, { env: callersEnv });
  const replicas: ServiceProcess[] = [];
  try {
    if (engines === "distributed") replicas.push(await replicaOf(subject));
    const urls = [subject.url, ...replicas.map(({ url }) => url)];
    const ground = await prepared(subject.db, urls);
    await honestCallers(ground, Math.min(2_000, size.roundMs));
    const rows: Row[] = [];
    for (const kind of Object.keys(hostilities)) {
      const [alone, attacked, failures]: [number[], number[], string[]] = [[], [], []];
      for (let round = 0; round < size.rounds; round++) {
        alone.push(...(await honestCallers(ground, size.roundMs)).times);
        const hostile = startHostileCaller(ground, kind);
        const seen = await honestCallers(ground, size.roundMs);
        await hostile.stop();
        attacked.push(...seen.times);
        failures.push(...seen.failures);
      }
      rows.push(rowOf(engines, kind, { alone, attacked, failures }));
    }
    return rows;
  } finally {
    for (const replica of replicas) await replica.terminate();
    await subject.stop();
  }
}

/** Another process of `api` over the same engines. */
function replicaOf(subject: Awaited<ReturnType<typeof startSubject>>): Promise<ServiceProcess> {
  const { instance, databaseUrl, dataDir, env } = subject;
  return startService({
    service: "api",
    env: {
      ...{ INSTANCE: instance, METADATA_POSTGRES_URL: databaseUrl, DATA_DIR: dataDir },
      ...env,
      ...callersEnv,
      PATH: process.env.PATH ?? "",
    },
  });
}

function rowOf(
  engines: EngineSet,
  kind: string,
  { alone, attacked, failures }: { alone: number[]; attacked: number[]; failures: string[] },
): Row {
  const p99 = (list: number[]) => percentile([...list].sort((a, b) => a - b), 0.99);
  const note = failures.length > 0 ? `${failures.length} failed: ${failures[0]}` : undefined;
  return row(
    {
      bench: "hostile",
      engines,
      case: `four honest callers beside one hostile: ${kind}, p99`,
      unit: "ms",
      ours: p99(attacked),
      yardstick: p99(alone),
      goal: "≤ 2 ×",
      note,
    },
    (ratio) => ratio !== null && ratio <= 2 && failures.length === 0,
  );
}
