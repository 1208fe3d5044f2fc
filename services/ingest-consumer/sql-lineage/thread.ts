import { serveJobs } from "#kit/thread.ts";
import type { SqlJob, SqlLineageResult } from "./model.ts";
import { readSql } from "./parse/read.ts";

// What the parser does but once takes a second, which is not that of the first job.
const dataset = (id: number, name: string) => ({
  id,
  catrn: `//${name}`,
  name,
  fields: ["a", "b"],
});
readSql({
  sql: "INSERT INTO t WITH c AS (SELECT a FROM s) SELECT a, count(*) FROM c WHERE a > 1 GROUP BY 1",
  inputs: [dataset(1, "s")],
  outputs: [dataset(2, "t")],
});

serveJobs<SqlJob, SqlLineageResult>((job) => readSql(job));
