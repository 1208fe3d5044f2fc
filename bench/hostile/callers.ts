import process from "node:process";
import { callersEnv, hashes, prepared } from "#test/hardening/callers/ground.ts";
import { type Honest, honestCallers } from "#test/hardening/callers/honest.ts";
import { startHostileCaller } from "#test/hardening/callers/hostile.ts";
import { hostilities } from "#test/hardening/callers/hostilities.ts";
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
  const subject = await startSubject(engines, { env: callersEnv(hashes.usual) });
  const replicas: ServiceProcess[] = [];
  try {
    if (engines === "distributed") replicas.push(await replicaOf(subject));
    const urls = [subject.url, ...replicas.map(({ url }) => url)];
    const ground = await prepared(subject.db, urls);
    await honestCallers(ground, Math.min(2_000, size.roundMs));
    const rows: Row[] = [];
    for (const kind of Object.keys(hostilities)) {
      const [alone, attacked, answers]: [Honest[], Honest[], Record<string, number>[]] = [
        [],
        [],
        [],
      ];
      for (let round = 0; round < size.rounds; round++) {
        alone.push(await honestCallers(ground, size.roundMs));
        const hostile = await startHostileCaller(ground, kind);
        attacked.push(await honestCallers(ground, size.roundMs));
        answers.push((await hostile.stop()).answers);
      }
      rows.push(...rowsOf(engines, kind, { alone, attacked, answers }));
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
      ...callersEnv(hashes.usual),
      PATH: process.env.PATH ?? "",
    },
  });
}

interface Rounds {
  alone: Honest[];
  attacked: Honest[];
  /** Answers to the hostile caller by status, of each round. */
  answers: Record<string, number>[];
}

/** Rows with a goal for requests and for signing in, and one without for each kind of request. */
function rowsOf(engines: EngineSet, kind: string, { alone, attacked, answers }: Rounds): Row[] {
  const failures = attacked.flatMap(({ failures }) => failures);
  const of = (name: string, work: string[]) => ({
    bench: "hostile",
    engines,
    case: `${name} beside one hostile: ${kind}, p99`,
    unit: "ms",
    ours: p99(timesOf(attacked, work)),
    yardstick: p99(timesOf(alone, work)),
    goal: "",
  });
  const note = [
    ...failures.length > 0 ? [`${failures.length} failed: ${failures[0]}`] : [],
    ...Object.entries(summed(answers)).map(([status, count]) => `${count} × ${status}`),
  ].join(", ");
  const isMet = (ratio: number | null) => ratio !== null && ratio <= 2 && failures.length === 0;
  const goal = "≤ 2 ×";
  return [
    row({ ...of("requests of four honest callers", requests), goal, note }, isMet),
    row({ ...of("their sign-ins", ["signIn"]), goal }, isMet),
    ...requests.map((what) => row(of(what, [what]))),
  ];
}

/** What honest callers do besides signing in, which takes a hash of its own. */
const requests = ["whoami", "lineage", "search", "download", "upload"];

const p99 = (times: number[]) => percentile([...times].sort((a, b) => a - b), 0.99);

const timesOf = (seen: Honest[], work: string[]) =>
  seen.flatMap(({ times }) => work.flatMap((what) => times.get(what) ?? []));

function summed(counts: Record<string, number>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const one of counts) {
    for (const [key, count] of Object.entries(one)) all[key] = (all[key] ?? 0) + count;
  }
  return all;
}
