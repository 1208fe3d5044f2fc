import { afterAll, beforeAll, beforeEach } from "vitest";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { type Harness, harness, type Item, job, type PostOptions } from "../../testing/harness.ts";

interface RunOptions {
  /** Day of January 2024 on which the run ended; by default the number at the end of its name. */
  day?: number;
  /** By default the last segment of its CATRN. */
  name?: string;
  reason?: string;
}

/** One alert scenario with its own CATRN prefix: `x` below stands for `<prefix>/x`. */
export class Case {
  constructor(readonly at: Harness, readonly prefix: string) {}

  catrn = (name: string) => `${this.prefix}/${name}`;
  post = (...items: Item[]) => this.at.post(items);
  postAs = (options: PostOptions, ...items: Item[]) => this.at.post(items, options);

  /** A transformer `job` with inputs. */
  job = (...inputs: string[]) => job(this.catrn("job"), inputs.map(this.catrn), []);

  /** A data quality test of datasets. */
  test = (name: string, ...datasets: string[]): Item => ({
    catrn: this.catrn(name),
    name,
    type: "JOB",
    data_quality_test: {
      suite_name: "suite",
      dataset_list: datasets.map(this.catrn),
      expectation: {},
    },
  });

  /** A run of a transformer, by default of `job`. */
  ran(run: string, status: string, { of = "job", ...more }: RunOptions & { of?: string } = {}) {
    const fields = { transformer_catrn: this.catrn(of), status };
    return this.#run(run, "data_transformer_run", fields, more);
  }

  /** A run of a test, by default of `test`. */
  tested(run: string, status: string, of = "test", more: RunOptions = {}): Item {
    const fields = { data_quality_test_catrn: this.catrn(of), status };
    return this.#run(run, "data_quality_test_run", fields, more);
  }

  #run(run: string, key: string, fields: object, { day, name, reason }: RunOptions): Item {
    const ended = day ?? Number(run.match(/\d+$/)![0]);
    const times = {
      start_time: "2024-01-01T00:00:00Z",
      end_time: new Date(Date.UTC(2024, 0, ended, 12)).toISOString(),
    };
    return {
      catrn: this.catrn(run),
      name: name ?? run,
      type: "JOB_RUN",
      [key]: { ...fields, ...times, status_reason: reason },
    };
  }

  /** Halts alerts of an entity until a time, given in SQL; `column` is without `_halt_until`. */
  halt = (entity: string, column: string, until: string) =>
    this.at.rows(
      `INSERT INTO alert_halt_config (entity_id, ${column}_halt_until)
       SELECT id, ${until} FROM data_entity WHERE catrn = $1`,
      this.catrn(entity),
    );

  /** Sets the status of every alert, as a user would: again, when another transaction wins. */
  setStatus = (status: "OPEN" | "RESOLVED") =>
    retryingTransaction(this.at.db, (tx) =>
      tx.query(
        `UPDATE alert SET status = $1, status_updated_at = now(), status_updated_by = 'ann'
          WHERE entity_id IN (SELECT id FROM data_entity WHERE starts_with(catrn, $2))`,
        [status === "OPEN" ? 1 : 2, `${this.prefix}/`],
      ));

  /** Each alert, in order of creation: `TYPE entity[ by test] STATUS: chunk | chunk`. */
  alerts = () =>
    this.#texts(
      `SELECT concat((ARRAY['SCHEMA', 'TEST', 'JOB', 'ANOMALY'])[a.type], ' ', e.catrn,
              ' by ' || m.catrn, ' ', (ARRAY['OPEN', 'RESOLVED', 'AUTO'])[a.status], ': ',
              (SELECT string_agg(c.description, ' | ' ORDER BY c.id) FROM alert_chunk c
                WHERE c.alert_id = a.id)) AS text
         FROM alert a JOIN data_entity e ON e.id = a.entity_id
         LEFT JOIN data_entity m ON m.id = a.messenger_id
        WHERE starts_with(e.catrn, $1) ORDER BY a.id`,
    );

  /** Every recorded alert event, in order: `EVENT entity`. */
  events = () =>
    this.#texts(
      `SELECT x.event_type || ' ' || e.catrn AS text
         FROM alert_event x JOIN data_entity e ON e.id = x.entity_id
        WHERE starts_with(e.catrn, $1) ORDER BY x.id`,
    );

  /** The alert events of the activity feed, in order: `EVENT entity: chunks or change of status`. */
  activity = () =>
    this.#texts(
      `SELECT concat(x.event_type, ' ', e.catrn, ': ', coalesce(
                x.old_state #>> '{alert_status_updated,status}' || ' to '
                  || (x.new_state #>> '{alert_status_updated,status}'),
                (SELECT string_agg(c ->> 'description', ' | ')
                   FROM jsonb_path_query(x.new_state, '$.*.chunks[*]') c))) AS text
         FROM activity x JOIN data_entity e ON e.id = x.entity_id
        WHERE x.event_type LIKE '%ALERT%' AND x.system_event AND starts_with(e.catrn, $1)
        ORDER BY x.id`,
    );

  async #texts(query: string): Promise<string[]> {
    const rows = await this.at.rows<{ text: string }>(query, `${this.prefix}/`);
    return rows.map(({ text }) => text.replaceAll(`${this.prefix}/`, ""));
  }
}

/** The alert text of a failed run. */
export const failed = (run: string, status = "FAILED") =>
  `Job run ${run} ended with status ${status}`;
export const testFailed = (run: string) => `Test run ${run} ended with status FAILED`;

/** Sets up one database for the tests of a file, and a separate case for each test. */
export function cases(): () => Case {
  let at: Harness;
  let current: Case;
  let n = 0;
  beforeAll(async () => void (at = await harness()));
  afterAll(() => at.drop());
  beforeEach(() => void (current = new Case(at, `//case/${n++}`)));
  return () => current;
}
