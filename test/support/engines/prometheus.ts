import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { removed } from "#test/support/engines/directory.ts";
import { end, freePort, launch, until } from "../../../tools/engines/process.mjs";

/** A real Prometheus of one test file, with the rules of `ops/alerts.yml`. */
export interface Prometheus {
  /** GET of its API; what `data` holds. Throws with what it says when it refuses. */
  // deno-lint-ignore no-explicit-any -- answers of every shape
  ask(path: string, parameters?: Record<string, string>): Promise<any>;
  stop(): Promise<void>;
}

/** What to do on a machine without it. */
export const howToInstall = "prometheus is missing: apt-get install prometheus";

function installed(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** Whether tests run a real Prometheus: where there is one, and in CI, where one that is missing is a failure. */
export function hasPrometheus(): boolean {
  return process.env.CI === "true" || installed();
}

/** Starts one that asks `target` (`http://host:port`) for its metrics every second. Throws where it is not installed. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  if (!installed()) throw new Error(howToInstall);
  const folder = mkdtempSync(join(tmpdir(), "tributary-prometheus-"));
  const port = await freePort();
  const config = join(folder, "prometheus.yml");
  writeFileSync(config, configuration(target));
  mkdirSync(join(folder, "data"));
  const pid = await launch(
    [
      "prometheus",
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    folder,
    true,
  );
  const url = `http://127.0.0.1:${port}`;
  const ask: Prometheus["ask"] = async (path, parameters = {}) => {
    const query = new URLSearchParams(parameters);
    const response = await fetch(`${url}/api/v1/${path}?${query}`);
    const { status, data, error } = await response.json();
    if (status !== "success") throw new Error(`${parameters.query ?? path}: ${error}`);
    return data;
  };
  await until(async () => {
    const response = await fetch(`${url}/-/ready`);
    await response.body?.cancel();
    if (!response.ok) throw new Error(`prometheus answers ${response.status}`);
  }, 90_000);
  return {
    ask,
    async stop() {
      await end(pid, config);
      await removed(folder);
    },
  };
}

function configuration(target: string): string {
  return stringify({
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [resolve("ops/alerts.yml")],
    scrape_configs: [{
      job_name: "tributary",
      static_configs: [{ targets: [new URL(target).host], labels: { service: "all" } }],
    }],
  });
}
