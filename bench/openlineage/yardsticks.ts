import { acceptEvent, isRefused } from "#contract/openlineage/accept.ts";
import { recordOf } from "#contract/openlineage/testing/record.ts";
import { openlineageEvents } from "#contract/topics.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { ensureTopics, type OpenContext, openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { namingSettings } from "#platform/naming/openlineage/settings.ts";
import { maxTogether } from "#services/openlineage/merger.ts";
import { keysBy } from "#services/openlineage/service.ts";
import { type Delta, emptyDelta, joinDelta } from "#services/openlineage/state/states.ts";
import { deltaOf } from "#services/openlineage/state/events.ts";
import type { InputEvent, Keys } from "#services/openlineage/state/model.ts";
import { columns, datasetRow, ioRow, jobRow, runRow } from "#services/openlineage/store/rows.ts";
import * as tables from "#services/openlineage/store/tables.queries.ts";
import { timed } from "../support/measure.ts";
import type { Subject } from "../support/subject.ts";
import type { Event } from "./events.ts";
import * as sql from "./queries.ts";

/** Statements with the arrays that they take. */
export type StateRows = [Statement, unknown[][]][];

/**
 * What the same events cost bare, in an instance of its own on the subject's engines: their records produced, and the
 * state that they come to written, without reading, comparing or keeping anything else.
 */
export class Yardsticks {
  private constructor(private readonly opened: OpenContext, private readonly keys: Keys) {}

  /** Opens the subject's engines under a separate instance name. */
  static async open(subject: Subject): Promise<Yardsticks> {
    const config = loadConfig({
      env: { ...subject.env, INSTANCE: `${subject.instance}_bare`, DATA_DIR: subject.dataDir },
    });
    const options = { config, log: silentLogger, metrics: noMetrics, embedded: "attach" as const };
    const opened = await openContext(options);
    await ensureTopics(opened.context);
    return new Yardsticks(opened, keysBy(namingSettings(config.openlineage)));
  }

  /** Publishes the records of events, `each` in a call, one call after the other; the milliseconds. */
  produce(events: Event[], each: number): Promise<number> {
    const records = events.map((event): NewRecord =>
      recordOf(accepted(event), { origin: "http", receivedAt: Date.now() })
    );
    return timed(async () => {
      for (let at = 0; at < records.length; at += each) {
        const some = records.slice(at, at + each);
        await this.opened.context.events.publish(openlineageEvents, some, { timeoutMs: 30_000 });
      }
    });
  }

  /** The rows of the state that events come to, in chunks as the merger takes them. */
  rowsOf(events: Event[]): StateRows[] {
    const chunks: StateRows[] = [];
    const whole = emptyDelta();
    for (let at = 0; at < events.length; at += maxTogether) {
      const delta = emptyDelta();
      for (const event of events.slice(at, at + maxTogether)) {
        joinDelta(delta, deltaOf(givenOf(accepted(event)), this.keys));
      }
      chunks.push(newRows(delta, whole));
    }
    return chunks;
  }

  /** Writes rows, one transaction a chunk; the milliseconds. */
  write(chunks: StateRows[]): Promise<number> {
    const { db } = this.opened.context;
    return timed(async () => {
      for (const chunk of chunks) {
        await db.transaction(async (tx) => {
          for (const [statement, values] of chunk) await tx.query(statement, values);
        });
      }
    });
  }

  /** Throws unless both sides hold equally many rows of each kind; else the comparison is unfair. */
  async requireSameRows(subject: Subject): Promise<void> {
    const [ours, theirs] = await Promise.all([
      subject.db.query(sql.stateCounts),
      this.opened.context.db.query(sql.stateCounts),
    ]);
    const rowTexts = [ours, theirs].map((rows) => JSON.stringify(rows[0]));
    if (rowTexts[0] !== rowTexts[1]) {
      throw new Error(`other rows than the subject's: ${rowTexts.join(", ")}`);
    }
  }

  close(): Promise<void> {
    return this.opened.close();
  }
}

function accepted(event: Event) {
  const result = acceptEvent(event);
  if (isRefused(result)) throw new Error(`refused: ${JSON.stringify(result.refused)}`);
  return result.event;
}

function givenOf(event: ReturnType<typeof accepted>): InputEvent {
  const type = event.kind === "run" ? { type: event.eventType } : {};
  return { ...event, ...type, at: event.eventTime } as InputEvent;
}

/** The rows of a chunk that no earlier chunk has; `stored` gathers them. */
function newRows(delta: Delta, stored: Delta): StateRows {
  const fresh = <S>(of: Map<string, S>, known: Map<string, S>) =>
    [...of].filter(([key]) => !known.has(key) && known.set(key, of.get(key)!))
      .map(([key, after]) => ({ key, after }));
  return [
    [tables.insertDatasets, columns(fresh(delta.datasets, stored.datasets), datasetRow, 5)],
    [tables.insertJobs, columns(fresh(delta.jobs, stored.jobs), jobRow, 7)],
    [tables.insertRuns, columns(fresh(delta.runs, stored.runs), runRow, 11)],
    [
      tables.writeIo,
      columns(fresh(delta.io, stored.io).map(({ after }) => after), ioRow, 5),
    ],
  ];
}
