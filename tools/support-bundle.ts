// `npm run support-bundle` writes what somebody needs to help: into one archive, without secrets.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { withTimeout } from "#kit/retry.ts";
import { type OpenContext, openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import type { Config } from "#platform/config/schema.ts";
import { failureText } from "#platform/secrets.ts";
import {
  bundleArchive,
  engineSections,
  ownSections,
  readSections,
  type SectionOptions,
} from "#platform/support-bundle.ts";
import { runCommand } from "./command.ts";

const usage =
  `Usage: npm run support-bundle [-- --out <file.tar.gz>] [--url <address>]… [--log <file or folder>]… [--lines 500]

Writes versions, the configuration without secrets, states of engines and processes, metrics, lag, sizes of tables and the last
lines of logs into one archive. --url names a process whose health and metrics are read; without it, the API of this configuration.

Exit codes: 0 written, 1 could not be written, 2 wrong use.`;

/** Milliseconds in which the engines can be opened; else the bundle says why they cannot. */
const openMs = 10_000;

export interface BundleOptions extends SectionOptions {
  out: string;
}

/** Parses the arguments; null when they are invalid. */
export function parseBundle(args: string[], config: Config): BundleOptions | null {
  try {
    const { values } = parseArgs({
      args,
      options: {
        out: { type: "string" },
        url: { type: "string", multiple: true },
        log: { type: "string", multiple: true },
        lines: { type: "string", default: "500" },
      },
    });
    const urls = values.url ?? [ownUrl(config)];
    const isValid = /^[1-9]\d{0,4}$/.test(values.lines) &&
      urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""));
    if (!isValid) return null;
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const out = values.out ?? join(tmpdir(), `tributary-support-${stamp}.tar.gz`);
    const logs = values.log ?? [config.data.dir];
    return { config, out, urls, logs, lines: Number(values.lines) };
  } catch {
    return null;
  }
}

/** The API of this machine. */
function ownUrl({ server: { host, port } }: Config): string {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Writes the archive, which only its owner may read, and returns what it holds. */
export async function writeBundle(
  options: BundleOptions,
): Promise<{ files: string[]; missing: string[] }> {
  const own = await readSections(ownSections(options));
  const engines = await readEngines(options.config);
  const { archive, files, missing } = await bundleArchive([own, engines]);
  writeFileSync(options.out, archive, { mode: 0o600, flag: "wx" });
  return { files, missing };
}

async function readEngines(config: Config): ReturnType<typeof readSections> {
  let opened: OpenContext | undefined;
  try {
    const late = () => new Error(`no answer within ${openMs / 1_000} s`);
    const options = { config, log: silentLogger, metrics: noMetrics, embedded: "attach" as const };
    opened = await withTimeout(openContext(options), openMs, late);
    return await readSections(engineSections(opened.context));
  } catch (error) {
    return { files: new Map(), missing: { engines: failureText(error) } };
  } finally {
    await opened?.close();
  }
}

async function main(args: string[]): Promise<number> {
  const options = parseBundle(args, loadConfig({ env: process.env }));
  if (!options) {
    console.error(usage);
    return 2;
  }
  const { files, missing } = await writeBundle(options);
  console.log(`written ${options.out}: ${files.join(", ")}`);
  if (missing.length > 0) console.log(`left out, missing.json says why: ${missing.join(", ")}`);
  return 0;
}

if (import.meta.main) await runCommand(main);
