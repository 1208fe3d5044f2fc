import { dashboards, events, experiments } from "./consumers.ts";
import type { Source } from "./items.ts";
import { scheduler, schedulerBefore, tests } from "./jobs.ts";
import { shop } from "./shop.ts";
import { warehouse } from "./warehouse.ts";

/**
 * The demonstration catalogue, one entry per source; times of runs are relative to `now` (milliseconds). `before`: as it
 * was before its change.
 */
export function catalogue(now: number, { before = false } = {}): Source[] {
  return [
    shop(),
    warehouse(),
    before ? schedulerBefore(now) : scheduler(now),
    tests(now),
    events(),
    experiments(),
    dashboards(),
  ];
}
