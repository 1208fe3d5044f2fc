import { z } from "zod";
import type { AirflowSettings } from "#contract/connections/airflow.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Session } from "../../connector.ts";
import { answerOf, basicAuth, SourceHttp, unlessStatus } from "../../http.ts";

/** Entries of one answer. */
const pageSize = 100;

/** Most entries of one list, so that a server cannot go on endlessly. */
export const maxEntries = 100_000;

const Version = z.object({ version: z.string() });
const Token = z.object({ access_token: z.string().min(1) });

type Query = Record<string, string | number>;

/** The interface of Airflow: `/api/v1` of Airflow 2, `/api/v2` of Airflow 3. */
export class AirflowApi {
  readonly #http: SourceHttp;

  private constructor(
    /** What the server calls itself, such as `2.10.5`. */
    readonly version: string,
    readonly isThree: boolean,
    session: Session<AirflowSettings>,
    authorization: string | undefined,
  ) {
    this.#http = httpOf(session, authorization);
  }

  /** Finds out the version and signs in. Throws a `SourceError`. */
  static async open(session: Session<AirflowSettings>): Promise<AirflowApi> {
    const plain = httpOf(session, undefined);
    try {
      const { version, isThree } = await versionOf(plain);
      const authorization = await authorizationOf(plain, session, isThree);
      return new AirflowApi(version, isThree, session, authorization);
    } finally {
      await plain.close();
    }
  }

  /** One page of a list, each entry as the server gives it. Throws a `SourceError`. */
  async page(
    path: string,
    list: string,
    query: Query,
  ): Promise<{ entries: unknown[]; total: number }> {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const answer = await this.#http.json(`api/v${this.isThree ? 2 : 1}/${path}?${parameters}`);
    const Page = z.object({ [list]: z.array(z.unknown()), total_entries: z.int().nullish() });
    const members = new Map(Object.entries(answerOf("Airflow", Page, answer, path)));
    const entries = members.get(list) as unknown[];
    return { entries, total: Number(members.get("total_entries") ?? entries.length) };
  }

  /** All entries of a list, page by page. Throws a `SourceError`. */
  async *entries(path: string, list: string, query: Query = {}): AsyncGenerator<unknown> {
    for (let offset = 0; offset < maxEntries;) {
      const { entries, total } = await this.page(path, list, { ...query, limit: pageSize, offset });
      yield* entries;
      offset += entries.length;
      if (entries.length === 0 || offset >= total) return;
    }
    const reason = `there are more than ${maxEntries}`;
    throw new SourceError(path, reason, "Delete what is not needed in Airflow");
  }

  close(): Promise<void> {
    return this.#http.close();
  }
}

function httpOf(session: Session<AirflowSettings>, authorization: string | undefined): SourceHttp {
  const { url, ca } = session.settings;
  return new SourceHttp(session, { base: url, authorization, ca });
}

/** Airflow 2 has no `/api/v2`. */
async function versionOf(http: SourceHttp) {
  const newer = await unlessStatus(http.json("api/v2/version"));
  const isThree = newer !== null;
  const answer = isThree ? newer : await http.json("api/v1/version");
  return { ...answerOf("Airflow", Version, answer, "version"), isThree };
}

/** Airflow 3 takes no password: it gives a token for one. */
async function authorizationOf(
  http: SourceHttp,
  { settings: { user }, secrets }: Session<AirflowSettings>,
  isThree: boolean,
): Promise<string | undefined> {
  const token = secrets.get("token");
  if (token) return `Bearer ${token}`;
  if (!user || !isThree) return basicAuth(user, secrets.get("password"));
  const body = { username: user, password: secrets.get("password") ?? "" };
  const answer = await http.json("auth/token", { method: "POST", body });
  return `Bearer ${answerOf("Airflow", Token, answer, "auth/token").access_token}`;
}

const text = z.string().nullish().transform((value) => value ?? "");
const instant = z.string().nullish().transform((value) => {
  const at = Date.parse(value ?? "");
  return Number.isNaN(at) ? null : new Date(at).toISOString();
});

/** Of a schedule as Airflow 2 writes it; of one that is no expression nothing. */
const interval = z.object({ value: z.string() }).transform(({ value }) => value).nullish()
  .catch(null).transform((value) => value ?? "");

/** A DAG, in both versions; only what does not change with each run of the scheduler. */
export const Dag = z.object({
  dag_id: z.string().min(1),
  dag_display_name: text,
  description: text,
  fileloc: text,
  owners: z.array(z.string()).nullish().transform((value) => value ?? []),
  tags: z.array(z.object({ name: z.string() })).nullish().transform((value) => value ?? []),
  timetable_description: text,
  timetable_summary: text,
  schedule_interval: interval,
  is_paused: z.boolean().nullish(),
});
export type Dag = z.output<typeof Dag>;

export const Task = z.object({
  task_id: z.string().min(1),
  owner: text,
  doc_md: text,
  operator_name: text,
  class_ref: z.object({ module_path: text, class_name: text }).nullish(),
  downstream_task_ids: z.array(z.string()).nullish().transform((value) => value ?? []),
  trigger_rule: text,
  pool: text,
  queue: text,
  is_mapped: z.boolean().nullish(),
});
export type Task = z.output<typeof Task>;

export const DagRun = z.object({
  dag_run_id: z.string().min(1),
  state: text,
  start_date: instant,
  end_date: instant,
});
export type DagRun = z.output<typeof DagRun>;

export const TaskInstance = z.object({
  task_id: z.string().min(1),
  map_index: z.int().nullish(),
  state: text,
  start_date: instant,
  end_date: instant,
});

const users = z.array(z.object({ dag_id: z.string(), task_id: text })).nullish()
  .transform((value) => value ?? []);

/** A dataset of Airflow 2, an asset of Airflow 3. */
export const Asset = z.object({
  name: text,
  uri: z.string().min(1),
  group: text,
  consuming_dags: users,
  scheduled_dags: users,
  producing_tasks: users,
  consuming_tasks: users,
});
export type Asset = z.output<typeof Asset>;
