import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import mysql from "mysql2/promise";
import { eventually } from "#test/support/eventually.ts";
import { engineFolder, removed } from "#test/support/engines/directory.ts";
import { freePort } from "../../../tools/engines/process.mjs";

/** A MariaDB of a test. */
export interface MariaServer {
  host: string;
  port: number;
  /** Runs statements as the administrator. */
  run(...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

const first = (paths: string[]) => paths.find((path) => existsSync(path));
const program = () => first(["/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/usr/bin/mariadbd"]);
const installer = () => first(["/usr/bin/mariadb-install-db", "/usr/sbin/mariadb-install-db"]);

/** What to do on a machine without the server. */
export const howToInstall = "MariaDB is missing: apt-get install mariadb-server";

/**
 * Whether tests run a real server: where there is one, and with `TRIBUTARY_TEST_DISTRIBUTED=1`, where one that is missing is
 * a failure and not a skip.
 */
export function hasMariadb(): boolean {
  return process.env.TRIBUTARY_TEST_DISTRIBUTED === "1" || program() !== undefined;
}

/** Starts a server of its own on a free port, whose administrator has no password; with TLS where there is a certificate. */
export async function startMariadb(tls?: { cert: string; key: string }): Promise<MariaServer> {
  const [server, install] = [program(), installer()];
  if (!server || !install) throw new Error(howToInstall);
  const folder = mkdtempSync(join(engineFolder(), "tributary-mariadb-"));
  const data = `--datadir=${join(folder, "data")}`;
  // A server that starts removes the temporary tables that it finds, also those of another server.
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  // Root runs it under its own account only when that is said.
  const account = process.getuid?.() === 0 ? ["--user=root"] : [];
  const common = ["--no-defaults", data, `--tmpdir=${temporary}`, ...account];
  const initial = ["--auth-root-authentication-method=normal", "--skip-test-db"];
  execFileSync(install, [...common, ...initial], { stdio: "pipe" });
  const port = await freePort();
  const child = spawn(server, [
    ...[...common, `--port=${port}`, "--bind-address=127.0.0.1", "--skip-log-bin"],
    ...[`--socket=${join(folder, "socket")}`, `--pid-file=${join(folder, "pid")}`],
    ...(tls ? tlsArguments(folder, tls) : ["--skip-ssl"]),
    ...["--innodb-buffer-pool-size=32M", "--performance-schema=OFF"],
  ], { stdio: "ignore" });
  const run = async (...statements: string[]) => {
    const options = { host: "127.0.0.1", port, user: "root", charset: "utf8mb4" };
    const connection = await mysql.createConnection(options);
    try {
      for (const statement of statements) await connection.query(statement);
    } finally {
      await connection.end();
    }
  };
  await eventually(() => run("SELECT 1"), { within: 30_000 });
  return { host: "127.0.0.1", port, run, stop: () => stop(child, folder) };
}

function tlsArguments(folder: string, tls: { cert: string; key: string }): string[] {
  return Object.entries(tls).map(([name, pem]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, pem, { mode: 0o600 });
    return `--ssl-${name}=${path}`;
  });
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
  await removed(folder);
}
