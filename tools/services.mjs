// What each service may do, and so how it is started: read by tools/run.mjs, and copied into
// docker-compose.yml, where a check compares the two. Paths are relative to the repository, which
// is the working directory of the image too.

// Which hosts and settings there are is known to the configuration only.
const talks = ["--no-prompt", "--allow-net", "--allow-env"];

// Host name and process figures for logs, metrics and traces; the drivers ask for the user's name.
const looks = ["--allow-sys", "--allow-read=."];

/**
 * Deno's permission flags by the value of `--service`. `all` may do more, since it starts PostgreSQL
 * and keeps everything in a directory of the user's choice.
 * @type {Record<"all" | "api" | "ingest-consumer" | "trace-gateway" | "notifier", string[]>}
 */
export const permissions = {
  all: [...talks, "--allow-sys", "--allow-read", "--allow-write", "--allow-run"],
  api: [...talks, ...looks, "--allow-write=./data"],
  "ingest-consumer": [...talks, ...looks],
  // It starts the gRPC receiver, the same runtime in a process of its own; certificates are where the
  // operator keeps them, those of private authorities too.
  "trace-gateway": [...talks, "--allow-sys", "--allow-read", "--allow-run=node_modules/deno/deno"],
  notifier: [...talks, "--allow-sys", "--allow-read"],
};

/**
 * The start of one service, all engines being configured by URL: arguments after the Deno binary.
 * @param {keyof typeof permissions} service
 */
export function serviceArguments(service) {
  return ["run", ...permissions[service], "main.ts", "--service", service];
}
