import { spawn } from "node:child_process";
import process from "node:process";

/** The sink of `npm run sink` in a process of its own, on free ports. */
export interface Sink {
  url: string;
  smtpPort: number;
  /** All that it has printed. */
  said(): string;
  stop(): Promise<void>;
}

/** Starts the sink and waits until it listens. Rejects with what it said when it ends before. */
export async function startSink(): Promise<Sink> {
  const child = spawn(process.execPath, [
    "run",
    "-A",
    "tools/sink.mjs",
    "--port",
    "0",
    "--smtp-port",
    "0",
  ], { stdio: ["ignore", "pipe", "pipe"] });
  const gone = new Promise<void>((end) => child.once("exit", () => end()));
  let said = "";
  const { url, smtpPort } = await new Promise<Pick<Sink, "url" | "smtpPort">>((ready, fail) => {
    const read = (chunk: unknown) => {
      said += chunk;
      const url = /chat +(http:\S+)\/chat/.exec(said)?.[1];
      const smtpPort = /mail +\S+:(\d+)/.exec(said)?.[1];
      if (url && smtpPort) ready({ url, smtpPort: Number(smtpPort) });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void gone.then(() => fail(new Error(`the sink ended: ${said}`)));
  });
  return {
    url,
    smtpPort,
    said: () => said,
    async stop() {
      process.kill(child.pid!, "SIGTERM");
      await gone;
    },
  };
}
