import { createServer } from "node:http";

/** A webhook that only records when each alert's message arrived. */
export interface TimingSink {
  url: string;
  /** When each alert arrived first, by `performance.now()`. */
  arrivals: Map<number, number>;
  /** Number of requests, including repeats. */
  requests(): number;
  stop(): Promise<void>;
}

/** Starts a sink on a free port. */
export async function startTimingSink(): Promise<TimingSink> {
  const arrivals = new Map<number, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const at = performance.now();
      requests++;
      const message = JSON.parse(new TextDecoder().decode(joined(chunks)));
      const alert = message.alert_chunks[0].alert_id;
      if (!arrivals.has(alert)) arrivals.set(alert, at);
      response.end();
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    requests: () => requests,
    stop: () =>
      new Promise((ended) => {
        server.close(() => ended());
        server.closeAllConnections();
      }),
  };
}

function joined(chunks: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
