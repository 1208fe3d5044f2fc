import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Options } from "#storage/s3.ts";
import type { TestCertificate } from "#test/support/engines/certificate.ts";
import { removed } from "#test/support/engines/directory.ts";
import { freeze } from "#test/support/engines/freeze.ts";
import type { OwnEngine } from "#test/support/engines/own-engines.ts";
import { end, freePort, launch, runs, send, until } from "../../../tools/engines/process.mjs";

const script = fileURLToPath(new URL("s3-server.mjs", import.meta.url));
const bucket = "attachments";

export interface S3Server extends OwnEngine {
  /** How to reach it. It verifies signatures and knows one account. */
  options: S3Options;
}

/** An S3 server of one test file's own with an empty bucket; `tls`: over HTTPS. Call `stop` in `afterAll`. */
export async function startS3(tls?: TestCertificate): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "tributary-s3-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const port = await freePort();
  const command = [process.execPath, "run", "-A", script, data, String(port), bucket];
  if (tls) command.push(...written(folder, tls));
  let pid = 0;
  const start = async () => {
    pid = await launch(command, folder, true);
    await until(() => reached(port), 60_000);
  };
  const kill = async () => {
    send(pid, "SIGKILL");
    await end(pid, data);
  };
  await start();
  const url = `http${tls ? "s" : ""}://127.0.0.1:${port}`;
  const account = { accessKey: "S3RVER", secretKey: "S3RVER" };
  return {
    url,
    options: { url, bucket, region: "us-east-1", prefix: "test/", ...account, ca: tls?.ca },
    pids: () => runs(pid, data) ? [pid] : [],
    kill,
    pause: () => freeze(pid),
    resume: () => send(pid, "SIGCONT"),
    restart: start,
    async stop() {
      if (runs(pid, data)) await kill();
      await removed(folder);
    },
  };
}

function written(folder: string, { cert, key }: TestCertificate): string[] {
  return Object.entries({ cert, key }).map(([name, text]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  });
}

function reached(port: number): Promise<void> {
  return new Promise((done, failed) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done();
    });
    socket.once("error", failed);
  });
}
