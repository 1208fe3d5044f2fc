import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestCertificate } from "#test/support/engines/certificate.ts";

export interface SmtpSinkOptions {
  /** Who must sign in; nobody need if left out. */
  user?: string;
  password?: string;
  tls?: TestCertificate;
  /** Offers STARTTLS; needs `tls`. */
  starttls?: boolean;
  /** TLS from the first byte; needs `tls`. */
  secure?: boolean;
  /** A free one unless told. */
  port?: number;
  /** Each recipient of that number is told to retry (450). */
  busyEvery?: number;
}

/** A mail as it arrived. */
export interface SunkMail {
  from: string;
  to: string[];
  /** Who had signed in. */
  user: string | null;
  /** Whether it came over TLS. */
  secure: boolean;
  /** Headers and body as sent. */
  raw: string;
}

/**
 * A real mail server that keeps what it gets. Recipients choose how it answers: `code-450@…` and
 * `code-550@…` at RCPT, `data-452@…` after the message.
 */
export interface SmtpSink {
  port: number;
  mails: SunkMail[];
  /** Connections made so far. */
  connections(): number;
  /** Ends it as a kill does. */
  close(): Promise<void>;
}

const script = fileURLToPath(new URL("smtp-sink.mjs", import.meta.url));

type Event =
  | { kind: "connection" }
  | { kind: "ready"; port: number }
  | SunkMail & {
    kind: "message";
  };

/** Starts a mail server on the loopback address. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const child = spawn("node", [script, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const mails: SunkMail[] = [];
  let connections = 0;
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  const port = await new Promise<number>((ready, fail) => {
    child.once("error", fail);
    child.once("exit", () => fail(new Error("the mail server of the test ended")));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const event: Event = JSON.parse(line);
      if (event.kind === "ready") ready(event.port);
      else if (event.kind === "connection") connections++;
      else mails.push(event);
    });
  });
  return {
    port,
    mails,
    connections: () => connections,
    async close() {
      child.stdin!.end();
      await gone;
    },
  };
}
