import { z } from "zod";

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
