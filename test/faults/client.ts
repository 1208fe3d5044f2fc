/** An answer of the API, with how long it took. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined when it is empty or not JSON. */
  // deno-lint-ignore no-explicit-any -- tests look into answers of every shape
  json: any;
  /** Milliseconds. */
  ms: number;
}

/** Asks one API process; rejects when it does not answer within `withinMs`. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  withinMs = 30_000,
): Promise<Answer> {
  const begun = performance.now();
  const response = await fetch(new URL(path, url), {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(withinMs),
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - begun);
  return { status: response.status, headers: response.headers, json: parsed(text), ms };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What of an answer tells how an outage shows. */
export function shown({ status, headers, json }: Answer): object {
  return {
    status,
    retryAfter: headers.has("retry-after"),
    code: json?.code,
    retryable: json?.retryable,
  };
}

/** How a 503 must look. */
export const outage = { status: 503, retryAfter: true, code: "SYS002", retryable: true };

/** A source with one step of lineage, `<source>/a → <source>/job → <source>/b`; registered first. */
export class Shop {
  constructor(readonly url: string, readonly source: string) {}

  async open(): Promise<void> {
    const { source } = this;
    const registered = await ask(this.url, "POST", "/ingestion/datasources", {
      items: [{ catrn: source, name: source }],
    });
    if (registered.status !== 200) throw new Error(`not registered: ${registered.status}`);
    const posted = await this.post("job", "a", "b");
    if (posted.status !== 200) throw new Error(`not posted: ${JSON.stringify(posted.json)}`);
  }

  /** Posts a job of that name from one table to another. */
  post(name: string, from: string, to: string, url = this.url): Promise<Answer> {
    const table = (n: string) => ({
      catrn: `${this.source}/${n}`,
      name: n,
      type: "TABLE",
      dataset: { field_list: [] },
    });
    return ask(url, "POST", "/ingestion/entities", {
      data_source_catrn: this.source,
      items: [table(from), table(to), {
        catrn: `${this.source}/${name}`,
        name,
        type: "JOB",
        data_transformer: {
          inputs: [`${this.source}/${from}`],
          outputs: [`${this.source}/${to}`],
        },
      }],
    });
  }

  /** Id of table or job `name`. */
  async id(name: string): Promise<number> {
    const catrn = `${this.source}/${name}`;
    const query = new URLSearchParams({ catrn, page: "1", size: "1" });
    const { status, json } = await ask(this.url, "GET", `/api/dataentities?${query}`);
    if (!json?.items?.[0]) {
      throw new Error(`${catrn} is not there: ${status} ${JSON.stringify(json)}`);
    }
    return json.items[0].id;
  }

  /** What table `name` feeds, by the ends of CATRNs, sorted; the root included. */
  async fed(name: string): Promise<string[]> {
    const { status, json } = await ask(this.url, "GET", lineageOf(await this.id(name)));
    if (status !== 200) throw new Error(`no lineage: ${status} ${JSON.stringify(json)}`);
    return json.downstream.nodes
      .map((node: { catrn: string }) => node.catrn.slice(this.source.length + 1)).sort();
  }
}

export const lineageOf = (id: number) =>
  `/api/dataentities/${id}/lineage/downstream?lineage_depth=9`;
