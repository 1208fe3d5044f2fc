import { loadConfig } from "#platform/config/load.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { type OpenContext, openContext } from "#platform/compose.ts";

/**
 * The database, event log and graph of the processes that a test started with these settings, for the test to look at.
 * `migrates` is false where it must not notice what the processes should notice. It is the caller's to close.
 */
export function openObserver(
  env: Record<string, string>,
  { migrates = true } = {},
): Promise<OpenContext> {
  return openContext({
    config: loadConfig({ env }),
    log: silentLogger,
    metrics: noMetrics,
    embedded: "attach",
    migrates,
  });
}
