import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { Buffer } from "node:buffer";

/** A server that passes requests of DataHub's clients on and remembers which aspects they sent. */
export interface Recorder {
  url: string;
  /** How often each aspect was sent since the last call, by name. */
  take(): Record<string, number>;
  close(): Promise<void>;
}

/** Starts a recorder in front of the interface at `target`. */
export async function startRecorder(target: () => string): Promise<Recorder> {
  const sent: string[] = [];
  const server = createServer((request, response) => {
    passOn(request, response, target(), sent).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    take: () => countOf(sent.splice(0)),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** How often each name occurs, in the order of the names. */
export function countOf(names: string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  sent: string[],
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method,
    headers: passedHeaders(request),
    ...(body.length > 0 ? { body } : {}),
  });
  if (answer.ok) sent.push(...aspectsIn(request, body));
  const type = answer.headers.get("content-type") ?? "application/json";
  response.writeHead(answer.status, { "content-type": type });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string> {
  const names = ["content-type", "content-encoding", "authorization", "x-restli-protocol-version"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  }));
}

interface Proposals {
  proposal?: { aspectName?: string };
  proposals?: { aspectName?: string }[];
}

function aspectsIn({ url = "", headers }: IncomingMessage, body: Uint8Array): string[] {
  if (!url.includes("action=ingestProposal")) return [];
  const text = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  const { proposal, proposals = [] } = JSON.parse(new TextDecoder().decode(text)) as Proposals;
  return [...proposals, ...(proposal ? [proposal] : [])].map(({ aspectName = "" }) => aspectName);
}
