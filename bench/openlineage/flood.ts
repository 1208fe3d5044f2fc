import { besideFlood, type FloodSize } from "../support/flood.ts";
import type { Row } from "../support/report.ts";
import type { Subject } from "../support/subject.ts";
import { bodiesOf, runsOf } from "./events.ts";
import { send } from "./sender.ts";
import { visible } from "./visible.ts";

/** Jobs of a flood, each with a run of two events, in requests of so many events. */
export type EventFloodSize = FloodSize & { jobs: number; each: number };

/** What a flood of new events costs a collector; see `besideFlood`. */
export function flood(subject: Subject, size: EventFloodSize): Promise<Row[]> {
  const { jobs, each } = size;
  return besideFlood(subject, size, {
    bench: "openlineage",
    what: `${jobs * 2} events, ${each} a request`,
    async post(round) {
      const fixture = runsOf(`flood_${round}`, jobs);
      await send(subject, bodiesOf(fixture.events, each));
      await visible(subject, fixture);
    },
  });
}
