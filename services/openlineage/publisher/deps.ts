import type { QueueDeps } from "#platform/composed-source/deps.ts";
import type { SourceNaming } from "#platform/composed-source/queue.ts";
import type { Config } from "#platform/config/schema.ts";
import type { NamingMemory } from "#platform/naming/catalogue.ts";
import {
  namespaceCatrn,
  openLineageRoot,
  otherNamespacesCatrn,
} from "#platform/naming/openlineage/catrns.ts";
import type { NamingSettings } from "#platform/naming/openlineage/settings.ts";
import type { IntakeThrottle } from "../intake-throttle.ts";
import type { OpenLineageMetrics } from "../metrics.ts";
import type { IoRules } from "../state/job-io.ts";
import type { Keys } from "../state/model.ts";
import type { Table } from "./rows.queries.ts";

/** What the publisher works with. */
export interface PublisherDeps extends QueueDeps<Table> {
  metrics: OpenLineageMetrics;
  config: Config["openlineage"];
  naming: NamingSettings;
  memory: NamingMemory;
  keys: Keys;
  throttle: IntakeThrottle;
}

/** The rules by which inputs and outputs count. */
export function ioRules({ config, clock }: Pick<PublisherDeps, "config" | "clock">): IoRules {
  return {
    now: clock.now(),
    remembered: config["runs-remembered"],
    timeoutMs: config["run-timeout"],
    edgeTtlMs: config["edge-ttl"],
    streamingEdgeTtlMs: config["streaming-edge-ttl"],
  };
}

/** Each namespace has a data source; beyond `openlineage.max-namespaces` further ones share one. */
export const namespaceSources = (max: number): SourceNaming => ({
  system: "OpenLineage",
  description: "Jobs, runs and datasets reported by OpenLineage events",
  root: openLineageRoot,
  max,
  shared: { catrn: otherNamespacesCatrn, name: "other namespaces" },
  catrnOf: namespaceCatrn,
  warningOf: (namespace) => ({
    namespace,
    name: "",
    reason: "more namespaces than openlineage.max-namespaces; it stands under a shared one",
  }),
});
