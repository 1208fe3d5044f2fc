import { z } from "zod";
import { capturesOf, inspectPattern } from "#kit/pattern.ts";
import { foreignKafka } from "#platform/config/foreign-kafka.ts";
import { aliases as hosts, durationOrOff, someTime } from "#platform/config/kinds.ts";

/** The most rules of one list. */
const maxRules = 100;
/** The longest pattern. */
const maxPattern = 1_000;

const pattern = (what: string) =>
  z.string().min(1).max(maxPattern).superRefine((text, context) => {
    const found = inspectPattern(text);
    if ("problem" in found) context.addIssue({ code: "custom", message: found.problem });
  }).describe(`Pattern (RE2) of ${what}`);

const anyName = ["namespace", "name"];

const rules = (what: string, example: string) =>
  z.array(
    z.strictObject({
      namespace: pattern(`the whole namespace of ${what}`),
      name: pattern(`the whole name of ${what}`),
      catrn: z.string().startsWith("//").max(1_000).describe(
        `CATRN of what matches both, such as ${example}: \`{1}\` or \`{group}\` is what the name's pattern captured, ` +
          "`{namespace}` and `{name}` are those given",
      ),
    }).superRefine(({ name, catrn }, context) => {
      if ("problem" in inspectPattern(name)) return;
      const known = [...anyName, ...capturesOf(name)];
      const used = [...catrn.matchAll(/\{([^{}]*)\}/g)].map(([, one]) => one!);
      if (used.every((one) => known.includes(one))) return;
      const message = `must use no placeholders but ${known.map((one) => `{${one}}`).join(", ")}`;
      context.addIssue({ code: "custom", path: ["catrn"], message });
    }),
  ).max(maxRules, `must be at most ${maxRules}`).default([]);

/** `pattern pattern …`, or a list. */
const patterns = z.union([z.string(), z.array(z.string())]).default("").transform(
  (given) => (typeof given === "string" ? given.split(/\s+/) : given).filter((one) => one !== ""),
).pipe(
  z.array(pattern("the end of a path")).max(maxRules, `must be at most ${maxRules}`),
);

/** How long what OpenLineage events say is remembered, and for how long it counts. */
const openlineageState = {
  ttl: someTime("30 d").describe(
    "How long the state of a run is retained after its last event; that of the last 3 COMPLETE runs of a job stays",
  ),
  "runs-remembered": z.int().min(1).max(100).default(3).describe(
    "Number of latest COMPLETE runs whose inputs and outputs are shown as those of the job",
  ),
  "edge-ttl": durationOrOff("off").describe(
    "How long an input or output of a job is retained after the last run that names it, or `off`",
  ),
  "streaming-edge-ttl": durationOrOff("7 d").describe(
    "How long an input or output of a streaming job is retained after the last event that names it, or `off`",
  ),
  "job-ttl": durationOrOff("off").describe(
    "How long a job without events remains a member of its parent, or `off`",
  ),
  "run-timeout": someTime("24 h").describe(
    "Time without events after which a run that has not ended becomes UNKNOWN; runs of streaming jobs never do",
  ),
  refresh: someTime("5 min").describe(
    "How often unchanged items are posted again while their events arrive, so that they do not become stale",
  ),
};

/** Taking in OpenLineage: events, and what their names mean. */
export const openlineage = z.strictObject({
  enabled: z.boolean().default(true).describe(
    "Whether OpenLineage events are accepted and turned into lineage",
  ),
  ...openlineageState,
  "max-namespaces": z.int().min(1).max(1_000_000).default(10_000).describe(
    "Maximum number of namespaces with their own data source; further namespaces share one",
  ),
  hosts: hosts.describe(
    "Aliases of hosts whose name in the catalogue differs: alias=host, …; for a bucket of an " +
      "S3 store other than Amazon's: bucket=endpoint/bucket",
  ),
  datasets: rules("a dataset", "`//postgresql/host/db/databases/shop/schemas/{1}/tables/{2}`"),
  jobs: rules("a job", "`//airflow/host/airflow.example/dags/{1}`"),
  "path-patterns": patterns.describe(
    "Patterns (RE2) of path suffixes that name partitions of one dataset, such as /\\d{4}/\\d{2}, with blanks between " +
      "them; directories such as /day=2026-01-31 are known",
  ),
  "aws-account": z.coerce.string().regex(/^\d{12}$/).optional().describe(
    "Account of Athena tables if no dataset in the catalogue provides it; unset: `unknown`",
  ),
  "gcp-project": z.string().regex(/^[a-z0-9.:-]{1,200}$/).optional().describe(
    "Project of buckets and BigQuery tables if no dataset in the catalogue provides it; unset: `unknown`",
  ),
  kafka: foreignKafka({
    key: "openlineage.kafka",
    writers: "clients of OpenLineage",
    topic: "openlineage.events",
    record: "a JSON event or an array of them",
    group: "<instance>.openlineage.<topic>",
  }).prefault({}),
});
