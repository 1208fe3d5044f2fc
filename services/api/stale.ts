import type { Context } from "#platform/context.ts";

/** Days after which an entity that nobody told of counts as stale (`catalog.data-entity-stale-period`). */
export function staleDays({ config }: Pick<Context, "config">): number {
  return config.catalog["data-entity-stale-period"];
}
