import { eventually } from "#test/support/eventually.ts";

/** One server-sent event. */
export interface ServerEvent {
  kind: string;
  id: string;
  // deno-lint-ignore no-explicit-any -- tests look into events of every shape
  data: any;
}

/** Reads an answer of server-sent events as a browser does, and keeps all that came. */
export class EventReader {
  readonly events: ServerEvent[] = [];
  readonly comments: string[] = [];
  /** Where it would go on. */
  lastId = "";
  retry: number | undefined;
  /** Why the answer is over; undefined while it goes on. */
  over: "ended" | "broken" | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = "";

  constructor(readonly response: Response) {
    this.#reader = response.body!.getReader();
    void this.#read();
  }

  /** Resolves with the events of a kind once there are so many. */
  async some(count: number, kind?: string): Promise<ServerEvent[]> {
    return await eventually(() => {
      const found = this.events.filter((event) => kind === undefined || event.kind === kind);
      if (found.length < count) throw new Error(`${found.length} events instead of ${count}`);
      return found;
    }, { describe: () => ({ events: this.events.slice(-5), over: this.over }) });
  }

  /** Resolves with why the answer is over. */
  async end(): Promise<"ended" | "broken"> {
    return await eventually(() => {
      if (!this.over) throw new Error("the answer goes on");
      return this.over;
    });
  }

  async leave(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    const utf8 = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.#take(utf8.decode(value, { stream: true }));
      }
      this.over = "ended";
    } catch {
      this.over = "broken";
    }
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop()!;
    for (const block of blocks) this.#block(block.split("\n"));
  }

  #block(lines: string[]): void {
    let [kind, data] = ["message", ""];
    for (const line of lines) {
      const colon = line.indexOf(":");
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      if (name === "") this.comments.push(value);
      if (name === "id") this.lastId = value;
      if (name === "retry") this.retry = Number(value);
      if (name === "event") kind = value;
      if (name === "data") data += value;
    }
    if (data !== "") this.events.push({ kind, id: this.lastId, data: JSON.parse(data) });
  }
}

/** Follows the changes at a service. */
export async function followChanges(
  url: string,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const requestHeaders = { accept: "text/event-stream", ...headers };
  return new EventReader(await fetch(`${url}/api/changes${query}`, { headers: requestHeaders }));
}
