// The permissions of each service, and so how it is started: read by tools/run.mjs, and copied into
// docker-compose.yml and the Dockerfile, where a check compares them. Relative paths are those of the
// repository, which is also the working directory of the image. Reasons: docs/decisions/0033-what-the-runtime-may-do.md.

/** Environment variables that are read; a star stands for the rest of a name. */
const variables = [
  ...["INSTANCE", "SERVER_*", "DATA_*", "METADATA_*", "EVENT_LOG_*", "GRAPH_*", "CACHE_*"],
  ...[
    "INGESTION_*",
    "LINEAGE_*",
    "ALERTS_*",
    "NOTIFICATIONS_*",
    "OPENLINEAGE_*",
    "DATAHUB_*",
    "TRACES_*",
    "CONNECTIONS_*",
    "AUTH_*",
    "SESSION_*",
  ],
  ...[
    "CATALOG_*",
    "DATACOLLABORATION_*",
    "GENAI_*",
    "MCP_*",
    "HOUSEKEEPING_*",
    "ATTACHMENT_*",
    "BACKUP_*",
  ],
  ...["TRIBUTARY_CONFIG", "LOG_LEVEL", "LOG_FORMAT"],
  // Variables of drivers: OpenTelemetry's, and PostgreSQL's for parts that a URL omits.
  ...["OTEL_*", "PG*", "USER"],
];

/** Files in the working directory that every service reads: code, packages and optional configuration. */
const ownFiles = [
  ...["cache", "contract", "eventlog", "graph", "kit", "metadata", "platform", "services"],
  "storage",
  ...["node_modules", "package.json", "tributary.yaml"],
];

const serverScript = "metadata/postgres/postgres.sh";
const grpcScript = "services/trace-gateway/grpc/start.sh";

/**
 * Paths that depend on the configuration and the machine.
 * @typedef {object} Places
 * @property {string} dataDir directory of the embedded engines
 * @property {string[]} files files, or directories of files, that the configuration names
 * @property {string} [attachments] directory of the attachments; absent when another server keeps them
 * @property {string} [backups] directory of the scheduled backups
 * @property {string} [server] path of the embedded PostgreSQL's start script, when it is a copy
 */

/** Whether a variable of the environment is read. @param {string} name */
export function isRead(name) {
  return variables.some((known) =>
    known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : name === known
  );
}

/** Paths in the image: certificates and the like are mounted there. @type {Places} */
export const imagePaths = {
  dataDir: "./data",
  attachments: "./data/attachments",
  backups: "./data/backups",
  files: ["/etc/tributary"],
};

/** @typedef {"all" | "api" | "ingest-consumer" | "trace-gateway" | "notifier" | "openlineage" | "datahub" | "collector"} ServiceName */

/** @type {ServiceName[]} */
export const serviceNames = [
  "all",
  "api",
  "ingest-consumer",
  "trace-gateway",
  "notifier",
  "openlineage",
  "datahub",
  "collector",
];

/**
 * Deno's permission flags by the value of `--service`. Only `all` starts PostgreSQL; that and `api` write.
 * @param {ServiceName} service
 * @param {Places} places
 */
export function permissions(
  service,
  { dataDir, files, attachments, backups, server } = imagePaths,
) {
  const read = [...ownFiles, ...files];
  /** @type {string[]} */
  const programs = [];
  /** @type {string[]} */
  const written = [];
  if (service === "all") {
    // The list of accounts is read to find one that may run the server.
    read.push("/etc/passwd", dataDir);
    written.push(dataDir);
    programs.push(serverScript, ...server && server !== serverScript ? [server] : []);
  }
  for (const directory of [attachments, backups]) {
    if (!directory || !keepsAttachments(service)) continue;
    if (written.some((path) => holds(path, directory))) continue;
    read.push(directory);
    written.push(directory);
  }
  // The built web interface.
  if (service === "all" || service === "api") read.push(".cache/web");
  if (service === "all" || service === "trace-gateway") programs.push(grpcScript);
  return [
    "--no-prompt",
    // All hosts, because only the configuration knows which are needed.
    "--allow-net",
    `--allow-env=${[...variables, ...readsSources(service) ? ["SOURCE_SECRET_*"] : []].join(",")}`,
    "--ignore-env",
    "--allow-sys=hostname,osRelease,uid,gid",
    `--allow-read=${listed(read)}`,
    ...written.length > 0 ? [`--allow-write=${listed(written)}`] : [],
    ...programs.length > 0 ? [`--allow-run=${listed(programs)}`] : [],
  ];
}

/** Whether a service reads and writes attachments, and makes backups. @param {ServiceName} service */
export function keepsAttachments(service) {
  return service === "all" || service === "api";
}

/** Whether a service reads the secrets of connections. @param {ServiceName} service */
function readsSources(service) {
  return service === "all" || service === "collector";
}

/** @param {string} directory @param {string} path */
function holds(directory, path) {
  return path.startsWith(`${directory.replace(/\/+$/, "")}/`) && !path.split("/").includes("..");
}

/** Paths as a permission flag lists them; a comma within a path is doubled. @param {string[]} paths */
function listed(paths) {
  return paths.map((path) => path.replaceAll(",", ",,")).join(",");
}

/**
 * The start of one service: arguments after the Deno binary.
 * @param {ServiceName} service
 * @param {Places} places
 */
export function serviceArguments(service, paths = imagePaths) {
  return ["run", ...permissions(service, paths), "main.ts", "--service", service];
}
