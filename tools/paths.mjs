// Finds the directories and files that a configuration names, before any service runs, because the services
// are started with permissions for just these.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { denoBinary } from "./install.mjs";
import { isRead, keepsAttachments, serviceArguments } from "./services.mjs";

/** Variables whose value is the path of a file to read. */
const pathVariable = /(_FILE|_CERTIFICATE|_CLIENT_KEY|^PGPASSFILE|^PGSSL(ROOTCERT|CERT|KEY))$/;
/** Parameters of a PostgreSQL URL whose value is such a path. */
const pathParameters = ["sslrootcert", "sslcert", "sslkey"];

/**
 * How to start one service with the configuration in `env`: arguments after the Deno binary.
 * @param {string} root the working directory of the service
 * @param {import("./services.mjs").ServiceName} service
 * @param {Record<string, string | undefined>} env
 */
export async function argumentsFor(root, service, env) {
  const paths = await pathsOf(root, env);
  // A service may write into the directory, which is not enough to make it where its parents are missing.
  for (const directory of [paths.attachments, paths.backups]) {
    if (!directory || !keepsAttachments(service)) continue;
    mkdirSync(resolve(root, directory), { recursive: true });
  }
  if (service !== "all" || paths.engine) return serviceArguments(service, paths);
  return serviceArguments(service, { ...paths, server: preparedServer(root, paths.dataDir) });
}

/**
 * Root runs PostgreSQL under another account, which may not have access to this directory: then the server is
 * copied elsewhere before the service starts, because the service must not write files that it may run.
 * @param {string} root
 * @param {string} dataDir
 */
function preparedServer(root, dataDir) {
  if (process.getuid?.() !== 0) return undefined;
  const prepared = spawnSync(denoBinary(root), ["run", "-A", "tools/prepare.ts", dataDir], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // It has already printed the reason.
  if (prepared.status !== 0) throw new Error("The embedded PostgreSQL cannot be prepared");
  return prepared.stdout.trim();
}

/**
 * Reads only the parts of the configuration that name places; the service reports what is wrong with it.
 * @param {string} root the working directory of the services
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<import("./services.mjs").Places & { engine: boolean }>} `engine`: whether
 *   an external PostgreSQL is configured
 */
export async function pathsOf(root, env) {
  const named = env.TRIBUTARY_CONFIG;
  const tree = await treeOf(join(root, named ?? "tributary.yaml"), named);
  const leaves = leavesOf(tree, "");
  const value = (/** @type {string} */ key) => leaves.find(([name]) => name === key)?.[1];
  const variables = Object.entries(env).filter(([name]) => isRead(name) && pathVariable.test(name));
  const url = env.METADATA_POSTGRES_URL || value("metadata.postgres.url");
  const found = [
    named,
    ...variables.map(([, path]) => path),
    ...leaves.filter(([key]) => key.endsWith("-file")).map(([, path]) => path),
    env.CONNECTIONS_SECRET_DIR || value("connections.secret-dir"),
    ...listed(env.CONNECTIONS_ARTIFACT_DIRS || value("connections.artifact-dirs")),
    ...ofUrl(url),
  ];
  const dataDir = env.DATA_DIR || value("data.dir") || "./data";
  const remote = (env.ATTACHMENT_STORAGE || value("attachment.storage")) === "REMOTE";
  const own = env.ATTACHMENT_LOCAL_PATH || value("attachment.local.path");
  const backups = env.BACKUP_DIRECTORY || value("backup.directory");
  return {
    dataDir,
    ...(backups ? { backups } : {}),
    ...(remote ? {} : { attachments: own || `${dataDir}/attachments` }),
    engine: Boolean(url),
    files: [...new Set(found.flatMap((path) => path ? [path] : []))].sort(),
  };
}

/** @param {string | undefined} text */
function listed(text) {
  return (text ?? "").split(",").map((entry) => entry.trim());
}

/** @param {string} path @param {string | undefined} named */
async function treeOf(path, named) {
  const file = named && existsSync(named) ? named : path;
  if (!existsSync(file)) return {};
  // Imported late, because the package is missing before the installation.
  const { parse } = await import("yaml");
  try {
    // A warning would quote the line, which may hold a password.
    return parse(readFileSync(file, "utf8"), { logLevel: "silent" }) ?? {};
  } catch {
    return {};
  }
}

/** @returns {[string, string][]} */
function leavesOf(/** @type {unknown} */ tree, /** @type {string} */ prefix) {
  return Object.entries(tree ?? {}).flatMap(([name, value]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (value !== null && typeof value === "object") return leavesOf(value, key);
    return typeof value === "string" ? [/** @type {[string, string]} */ ([key, value])] : [];
  });
}

/** @param {string | undefined} url */
function ofUrl(url) {
  const parameters = url && URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
  return pathParameters.map((name) => parameters.get(name));
}
