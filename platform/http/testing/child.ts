import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { listen } from "#platform/http/runtime.ts";

// A listener in a separate process, which tests bring to its limit of open files. It prints its log.
const metrics = createMetrics();
const log = createLogger({ level: "info", format: "json", write: (line) => console.log(line) });
const server = listen(
  async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/metrics") return new Response((await metrics.exposition()).content);
    if (pathname === "/stop") void server.stop(500).then(() => console.log("stopped"));
    return new Response(JSON.stringify(server.health()));
  },
  { host: "127.0.0.1", port: 0 },
  { name: "child", log, metrics },
);
console.log(server.url);
