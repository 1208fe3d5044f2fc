import { dashboards, events, experiments } from "./consumers.ts";
import type { Source } from "./items.ts";
import { scheduler, tests } from "./jobs.ts";
import { shop } from "./shop.ts";
import { warehouse } from "./warehouse.ts";

/** The demonstration catalogue, one entry per source; times of runs are relative to `now` (milliseconds). */
export function catalogue(now: number): Source[] {
  return [
    shop(),
    warehouse(),
    scheduler(now),
    tests(now),
    events(),
    experiments(),
    dashboards(),
  ];
}
