import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removed } from "#test/support/engines/directory.ts";
import { type OwnEngine, startKafka } from "#test/support/engines/own-engines.ts";

/** A broker whose data can be put back to an older copy. Call `stop` in `afterAll`. */
export interface OlderKafka extends OwnEngine {
  /** Copies its data; it is unavailable meanwhile. */
  copy(): Promise<void>;
  /** Puts the copied data back. */
  putBack(): Promise<void>;
}

/** Starts the broker. */
export async function startOlderKafka(): Promise<OlderKafka> {
  const kafka = await startKafka();
  const [data, copied] = [kafka.directory!, mkdtempSync(join(tmpdir(), "tributary-older-kafka-"))];
  const replace = async (to: string, from: string) => {
    await kafka.kill();
    for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true });
    execFileSync("cp", ["-a", `${from}/.`, to]);
    await kafka.restart();
  };
  return {
    ...kafka,
    copy: () => replace(copied, data),
    putBack: () => replace(data, copied),
    async stop() {
      await kafka.stop();
      await removed(copied);
    },
  };
}
