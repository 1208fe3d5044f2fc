import type { Context } from "#platform/context.ts";

/** Days without an update after which an entity counts as stale (`catalog.data-entity-stale-period`). */
export function staleDays({ config }: Pick<Context, "config">): number {
  return config.catalog["data-entity-stale-period"];
}
