import { createServer } from "node:http";
import { joinBytes } from "#kit/bytes.ts";

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
      const message = JSON.parse(new TextDecoder().decode(joinBytes(chunks)));
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
