import { seeded } from "#test/support/random.ts";

/** An item of a batch, of the few shapes that these tests need. */
export interface Item {
  catrn: string;
  name: string;
  type: "TABLE" | "JOB";
  dataset?: { field_list: unknown[] };
  data_transformer?: { inputs: string[]; outputs: string[] };
}

/** What must be there in the end: names by CATRN, edges as `establisher: parent > child`. */
export interface Model {
  names: Map<string, string>;
  edges: Set<string>;
}

export interface ProducerOptions {
  /** Addresses of the API, taken in turn. */
  urls: string[];
  /** CATRNs of the data sources; they are registered first. */
  sources: string[];
  seed: number;
  /** Posts until it aborts, and then once more. */
  until: AbortSignal;
}

export interface ProducerResult {
  model: Model;
  /** Posts that had to be repeated, by what was answered. */
  failures: Record<string, number>;
}

const table = (catrn: string, name: string): Item => ({
  catrn,
  name,
  type: "TABLE",
  dataset: {
    field_list: [{
      catrn: `${catrn}/columns/id`,
      name: "id",
      type: { type: "TYPE_INTEGER", is_nullable: false },
    }],
  },
});

const job = (catrn: string, name: string, inputs: string[], outputs: string[]): Item => ({
  catrn,
  name,
  type: "JOB",
  data_transformer: { inputs, outputs },
});

const width = 8;

/** A collector for each source, as real ones are: one batch after another, each until it is taken. */
export async function produce(options: ProducerOptions): Promise<ProducerResult> {
  const poster = new Poster(options.urls);
  await poster.post("/ingestion/datasources", {
    items: options.sources.map((catrn) => ({ catrn, name: catrn })),
  });
  const model: Model = { names: new Map(), edges: new Set() };
  await Promise.all(options.sources.map(async (source, at) => {
    const random = seeded(options.seed * 31 + at);
    const rounds = new Rounds(source, options.sources, random);
    for (let last = false; !last;) {
      last = options.until.aborted;
      const items = rounds.next();
      const body = { data_source_catrn: source, items };
      await poster.post("/ingestion/entities", body);
      if (random() < 0.3) await poster.post("/ingestion/entities", body);
    }
    rounds.into(model);
  }));
  return { model, failures: poster.failures };
}

/**
 * The batches of one source: chains and diamonds over its tables and those of other sources. Each
 * round renames, moves edges and adds a table that no later round names.
 */
export class Rounds {
  #round = 0;
  readonly #names = new Map<string, string>();
  readonly #jobs = new Map<string, Item>();

  constructor(
    private readonly source: string,
    private readonly sources: string[],
    private readonly random: () => number,
  ) {}

  next(): Item[] {
    const round = this.#round++;
    const of = (source: string, n: number) => `${source}/tables/t${n}`;
    const other = () => this.sources[Math.floor(this.random() * this.sources.length)]!;
    const tables = Array.from(
      { length: width },
      (_, n) => table(of(this.source, n), n % 3 === 0 ? `t${n} of round ${round}` : `t${n}`),
    );
    const jobs = Array.from({ length: width }, (_, n) => {
      const far = of(other(), Math.floor(this.random() * width));
      const inputs = [of(this.source, n), far];
      const outputs = [of(this.source, (n + 1) % width), of(this.source, (n + 2) % width)];
      return job(`${this.source}/jobs/j${n}`, `j${n}`, inputs, outputs);
    });
    const extra = table(`${this.source}/tables/only-${round}`, `only ${round}`);
    const tail = job(`${this.source}/jobs/only-${round}`, "tail", [of(other(), 0)], [extra.catrn]);
    const items = [...tables, ...jobs, extra, tail, ...this.#many(round)];
    for (const item of items) {
      this.#names.set(item.catrn, item.name);
      if (item.data_transformer) this.#jobs.set(item.catrn, item);
    }
    return items;
  }

  /** Now and then as much as makes a batch of several parts. */
  #many(round: number): Item[] {
    if (round % 10 !== 4) return [];
    return Array.from({ length: 1_200 }, (_, n) => {
      const catrn = `${this.source}/tables/many-${round}-${n}`;
      return table(catrn, `many ${n}`);
    });
  }

  /** Adds what must be there when all rounds were taken. */
  into(model: Model): void {
    for (const [catrn, name] of this.#names) model.names.set(catrn, name);
    for (const { catrn, data_transformer } of this.#jobs.values()) {
      for (const input of data_transformer!.inputs) {
        model.edges.add(`${catrn}: ${input} > ${catrn}`);
      }
      for (const output of data_transformer!.outputs) {
        model.edges.add(`${catrn}: ${catrn} > ${output}`);
      }
    }
  }
}

/** Posts until it is taken, as long as the answer says that this makes sense. */
export class Poster {
  readonly failures: Record<string, number> = {};
  #taken = 0;

  constructor(private readonly urls: string[]) {}

  async post(path: string, body: unknown): Promise<string> {
    const text = JSON.stringify(body);
    for (let attempt = 0;; attempt++) {
      const url = this.urls[(this.#taken + attempt) % this.urls.length]!;
      const answer = await send(new URL(path, url).href, text);
      if (answer.taken) {
        this.#taken++;
        return answer.word;
      }
      this.failures[answer.word] = (this.failures[answer.word] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
}

/** Throws when the answer is one that no fault of an engine excuses. */
async function send(url: string, body: string): Promise<{ taken: boolean; word: string }> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(25_000),
    });
    text = await response.text();
  } catch (error) {
    return { taken: false, word: (error as Error).name };
  }
  if (response.ok) return { taken: true, word: response.headers.get("x-ingestion-state") ?? "" };
  if (response.status !== 503 || !response.headers.get("retry-after")) {
    throw new Error(`POST ${url}: ${response.status} ${text}`);
  }
  return { taken: false, word: "503" };
}
