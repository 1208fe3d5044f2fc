import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of recorded answers, for a connector that speaks HTTP. */
export interface RecordedServer {
  url: string;
  /** `GET /path` of each request, with the query. */
  requests: string[];
  close(): Promise<void>;
}

/** What a server answers to a request: JSON, a status, or nothing at all for `null`. */
export type Answer = (request: IncomingMessage, path: string) => unknown;

/** Starts a server; a number is answered as a status without a body. */
export async function recordedServer(answer: Answer): Promise<RecordedServer> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    void (async () => {
      const given = await answer(request, (request.url ?? "").split("?")[0]!);
      if (given === null) return;
      if (typeof given === "number") return response.writeHead(given).end();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(typeof given === "string" ? given : JSON.stringify(given));
    })();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
