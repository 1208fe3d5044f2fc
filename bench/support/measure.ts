/** Milliseconds of single runs, sorted. */
export interface Sample {
  /** The fastest run, which other work on the machine disturbed least. */
  min: number;
  p50: number;
  p95: number;
  runs: number;
}

/** The value below which `share` of the sorted values lie (nearest rank). */
export function percentile(sorted: number[], share: number): number {
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1));
  return sorted[at] ?? Number.NaN;
}

function sampleOf(times: number[]): Sample {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    min: sorted[0] ?? Number.NaN,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    runs: times.length,
  };
}

export interface MeasureOptions {
  /** Runs of each; they alternate, so that load on the machine affects all of them alike. */
  runs: number;
  warmup: number;
  /** Milliseconds after which no further round is started; at least two rounds are measured. */
  budgetMs: number;
}

/** Times several functions alternately, round by round. Milliseconds. */
export async function inTurn<K extends string>(
  work: Record<K, () => Promise<unknown>>,
  options: MeasureOptions,
): Promise<Record<K, Sample>> {
  const names = Object.keys(work) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  const end = performance.now() + options.budgetMs;
  for (let round = -options.warmup; round < options.runs; round++) {
    const over = performance.now() > end;
    if (over && round >= 2) break;
    if (over && round < 0) round = 0;
    for (const name of names) {
      const ms = await timed(work[name]);
      if (round >= 0) times.get(name)!.push(ms);
    }
  }
  return samplesOf(times);
}

function samplesOf<K extends string>(times: Map<K, number[]>): Record<K, Sample> {
  const samples = [...times].map(([name, each]) => [name, sampleOf(each)]);
  return Object.fromEntries(samples) as Record<K, Sample>;
}

/** Milliseconds that one run takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export interface Clients {
  clients: number;
  runsEach: number;
  /** Milliseconds that a client waits between two runs, as people do: without it the times are those of a queue. */
  pauseMs?: number;
}

/** Runs `each` from several clients at once, each known by its number; times every run. */
export async function concurrently(
  options: Clients,
  each: (client: number) => Promise<unknown>,
): Promise<Sample> {
  return sampleOf(await timesOf(options, each));
}

/**
 * The same for several groups of functions. Each round goes through all groups and, in turn, through the functions of
 * each: a slow minute of the machine then affects one round of a group, and all its functions alike.
 */
export async function concurrentlyInRounds<K extends string>(
  groups: Record<K, () => Promise<unknown>>[],
  { rounds, warmup, ...options }: Clients & { rounds: number; warmup: number },
): Promise<Record<K, Sample>[]> {
  const timed = groups.map((work) => {
    const names = Object.keys(work) as K[];
    return { work, times: new Map<K, number[]>(names.map((name) => [name, []])) };
  });
  for (let round = 0; round < rounds; round++) {
    for (const { work, times } of timed) {
      const warm = { clients: options.clients, runsEach: warmup };
      for (const name of times.keys()) await timesOf(warm, work[name]);
      for (const [name, list] of times) list.push(...await timesOf(options, work[name]));
    }
  }
  return timed.map(({ times }) => samplesOf(times));
}

async function timesOf(
  { clients, runsEach, pauseMs = 0 }: Clients,
  each: (client: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let run = 0; run < runsEach; run++) {
      const pause = run === 0 ? pauseMs * client / clients : pauseMs;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      times.push(await timed(() => each(client)));
    }
  }));
  return times;
}
