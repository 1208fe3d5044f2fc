import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { examplesOf, outputOf } from "#test/support/documents.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";

// The account of PostgreSQL must reach the directories below.
const backups = mkdtempSync(join(tmpdir(), "tributary-backups-"));
chmodSync(backups, 0o755);
const variables = { BACKUPS: backups, DATA_DIR: join(backups, "data") };

const scheduled = join(backups, "scheduled");

let service: ServiceProcess;
beforeAll(async () => {
  const env = {
    DATA_DIR: variables.DATA_DIR,
    BACKUP_DIRECTORY: scheduled,
    TRACES_HTTP_PORT: "0",
    TRACES_GRPC_PORT: "0",
  };
  service = await startService({ service: "all", env, readyWithin: 120_000 });
});
afterAll(async () => {
  await service?.terminate();
  rmSync(backups, { recursive: true, force: true });
});

describe("docs/operate/backup.md, beside a running npm start", () => {
  it("makes one by itself, with the permissions of the service", async () => {
    await eventually(() => {
      const names = readdirSync(scheduled).filter((name) => /^tributary-\d{8}T\d{6}Z$/.test(name));
      expect(names).toHaveLength(1);
    }, { within: 60_000, describe: () => service.output().filter((line) => /backup/.test(line)) });
  });

  const examples = examplesOf(readFileSync("docs/operate/backup.md", "utf8"));

  it("marks its commands for this test", () => expect(examples).toHaveLength(4));

  it.each(examples.map((e) => [e.title, e] as const))(
    "shows what really comes: %s",
    async (_, { command, output }) => {
      expect(await outputOf(command, variables, 120_000)).toBe(output);
    },
  );
});
