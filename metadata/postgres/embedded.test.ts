import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { silentLogger } from "#kit/log.ts";
import {
  type EmbeddedServer,
  prepareEmbedded,
  startEmbedded,
} from "#metadata/postgres/embedded.ts";
import { freePort } from "../../tools/engines/process.mjs";

const dataDir = mkdtempSync(join(tmpdir(), "embedded-"));
chmodSync(dataDir, 0o755);
const running: EmbeddedServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it("startEmbedded: a directory in use is refused by name, and its server goes on", async () => {
  const onExit = vi.fn();
  const options = { dataDir, log: silentLogger, onExit };
  running.push(await startEmbedded(options));
  await expect(startEmbedded(options)).rejects.toThrow(
    new RegExp(
      `${dataDir}.* is in use by another Tributary \\(PostgreSQL process \\d+\\).*DATA_DIR`,
    ),
  );
  expect(onExit).not.toHaveBeenCalled();
});

it("startEmbedded: waits for a server that is about to end", async () => {
  const options = { dataDir, log: silentLogger };
  const first = await startEmbedded(options);
  const second = startEmbedded(options);
  await first.stop();
  running.push(await second);
  expect(running[0]!.url).not.toBe(first.url);
});

it("startEmbedded: takes another port when somebody took the one that was free", async () => {
  const [taken, free] = [await startEmbedded({ dataDir, log: silentLogger }), await freePort()];
  const ports = [Number(new URL(taken.url).port), free];
  running.push(taken);
  const other = mkdtempSync(join(tmpdir(), "embedded-"));
  chmodSync(other, 0o755);
  const options = {
    dataDir: other,
    log: silentLogger,
    freePort: () => Promise.resolve(ports.shift()!),
  };
  const server = await startEmbedded(options);
  expect(new URL(server.url).port).toBe(String(free));
  await server.stop();
  rmSync(other, { recursive: true, force: true });
});

it("prepareEmbedded: names a script that serves, again and again", async () => {
  const script = await prepareEmbedded(dataDir);
  expect(script).toMatch(/\/postgres\.sh$/);
  expect(await prepareEmbedded(dataDir)).toBe(script);
});
