import { type Port, serveLayouts } from "#web/graph/layout-port.ts";

/** The module worker that lays lineage out, so that the page stays free for people. */
serveLayouts(globalThis as unknown as Port);
