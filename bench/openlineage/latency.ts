import { setTimeout as pause } from "node:timers/promises";
import { percentile, timed } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import type { EngineSet, Subject } from "../support/subject.ts";
import { bodiesOf, runsOf } from "./events.ts";
import * as sql from "./queries.ts";
import { post } from "./sender.ts";
import type { Yardsticks } from "./yardsticks.ts";

/** Milliseconds between two events, so that each meets a service at rest. */
const pauseMs = 100;

const limits: Record<EngineSet, number> = { embedded: 250, distributed: 400 };

/** From the first event of a new run of a new job to the job in the catalogue; next to it its state, written by hand. */
export async function latency(
  subject: Subject,
  yardsticks: Yardsticks,
  runs: number,
): Promise<Row[]> {
  const times: number[] = [];
  const bare: number[] = [];
  for (let n = -2; n < runs; n++) {
    const fixture = runsOf(`alone_${n + 2}`, 1);
    const [event] = fixture.events.slice(0, 1);
    const [body] = bodiesOf([event!], 1);
    const chunks = yardsticks.rowsOf([event!]);
    const written = await yardsticks.produce([event!], 1) + await yardsticks.write(chunks);
    const took = await timed(async () => {
      await post(subject, body!);
      while ((await subject.db.query(sql.firstEntityMissing, [fixture.entities])).length > 0) {
        await pause(1);
      }
    });
    await pause(pauseMs);
    if (n < 0) continue; // to warm up
    times.push(took);
    bare.push(written);
  }
  const limit = limits[subject.engines];
  const at = (list: number[], share: number) => percentile(list.toSorted((a, b) => a - b), share);
  const given = { bench: "openlineage", engines: subject.engines, unit: "ms" };
  const name = "one event, from POST to visible";
  return [
    row({
      ...given,
      case: `${name}, p50`,
      ours: at(times, 0.5),
      yardstick: at(bare, 0.5),
      goal: `< ${limit} ms`,
      note: "beside: produced, then its state written by hand",
    }, (_, ours) => ours < limit),
    row({
      ...given,
      case: `${name}, p95`,
      ours: at(times, 0.95),
      yardstick: at(bare, 0.95),
      goal: "",
    }),
  ];
}
