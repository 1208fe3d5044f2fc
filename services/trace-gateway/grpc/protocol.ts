import { z } from "zod";

/** Settings of the gRPC process, sent as one line on its standard input. */
export const Orders = z.strictObject({
  host: z.string(),
  port: z.int(),
  /** Certificate chain and key in PEM. */
  tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  /** Bearer token that exporters must send; checked before a message is read. */
  token: z.string().optional(),
  /** Largest message, after decompression. */
  maxBytes: z.int(),
  /** Bytes of messages at work at once. */
  maxInFlight: z.int(),
  /** Bytes of large messages of a client that may be rejected; 0: no limit. */
  maxRefusedBytes: z.int(),
  /** `server.trusted-proxies`: proxies that name their clients. */
  trustedProxies: z.array(z.string()).optional(),
  /** The address of the intake, and the secret that it expects. */
  intake: z.strictObject({ url: z.string(), token: z.string() }),
  /** Longest wait for the intake's answer, milliseconds. */
  answerWithinMs: z.number(),
  /** Milliseconds between two heartbeats. */
  beatEveryMs: z.number(),
});
export type Orders = z.output<typeof Orders>;

/** What the gRPC process reports, one line each on its standard output. */
export const Report = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("listening"), port: z.int() }),
  z.strictObject({ state: z.literal("port_taken") }),
  z.strictObject({ state: z.literal("alive") }),
  z.strictObject({ state: z.literal("failed"), message: z.string() }),
]);
export type Report = z.output<typeof Report>;

/** Header in which the gRPC process hands on the `authorization` of a call. */
export const clientAuthorization = "x-client-authorization";

/** Headers of the intake's answer; the body is the message, or a google.rpc.Status. */
export const answerHeaders = {
  /** Code of gRPC; 0 is success. */
  code: "x-grpc-code",
  /** Percent-encoded text of a refusal. */
  message: "x-grpc-message",
} as const;

/** Yields the whole lines of a stream of text. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
