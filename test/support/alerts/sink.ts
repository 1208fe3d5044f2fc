import process from "node:process";
import { spawnTied } from "#test/support/engines/tied.ts";

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
  const args = ["run", "-A", "tools/sink.mjs", "--port", "0", "--smtp-port", "0"];
  let said = "";
  const ready = Promise.withResolvers<Pick<Sink, "url" | "smtpPort">>();
  const sink = spawnTied(process.execPath, args, {
    onLine(line) {
      said += `${line}\n`;
      const url = /chat +(http:\S+)\/chat/.exec(said)?.[1];
      const smtpPort = /mail +\S+:(\d+)/.exec(said)?.[1];
      if (url && smtpPort) ready.resolve({ url, smtpPort: Number(smtpPort) });
    },
  });
  void sink.ended.then(() => ready.reject(new Error(`the sink ended: ${said}`)));
  const { url, smtpPort } = await ready.promise;
  return {
    url,
    smtpPort,
    said: () => said,
    async stop() {
      await sink.signal("SIGTERM");
      await sink.ended;
    },
  };
}
