import { z } from "@hono/zod-openapi";
import { DatasetFacets, InputFacets, OutputFacets } from "./facets/dataset.ts";
import { JobFacets } from "./facets/job.ts";
import { RunFacets } from "./facets/run.ts";
import { list, Named } from "./facets/shapes.ts";
import { maxDatasets } from "./limits.ts";
import { RunId, Uri } from "./texts.ts";

export { DeletedFacet, isDeleted } from "./facets/shapes.ts";
export type { DatasetFacets, InputFacets, OutputFacets, SchemaField } from "./facets/dataset.ts";
export type { JobFacets } from "./facets/job.ts";
export type { RunFacets } from "./facets/run.ts";

/** What became of a run; OTHER where the producer says nothing, or something unknown. */
export const eventTypes = ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"] as const;
export type EventType = (typeof eventTypes)[number];

/** A job of an event. Facets hold only what the catalogue uses, cleaned; a facet is absent, whole or deleted. */
export const Job = Named.extend({ facets: JobFacets });
export const Run = z.object({ runId: RunId, facets: RunFacets });
export const Dataset = Named.extend({ facets: DatasetFacets });
export const Input = Dataset.extend({ inputFacets: InputFacets });
export const Output = Dataset.extend({ outputFacets: OutputFacets });

const common = {
  /** Milliseconds since the epoch, as the producer says. */
  eventTime: z.int(),
  producer: Uri.optional(),
};

/** Absent when the event has no such list, which is something else than an empty one. */
const sides = {
  inputs: list(Input, maxDatasets).optional(),
  outputs: list(Output, maxDatasets).optional(),
};

export const RunEvent = z.object({
  kind: z.literal("run"),
  ...common,
  eventType: z.enum(eventTypes),
  run: Run,
  job: Job,
  ...sides,
});
export const JobEvent = z.object({ kind: z.literal("job"), ...common, job: Job, ...sides });
export const DatasetEvent = z.object({ kind: z.literal("dataset"), ...common, dataset: Dataset });

/** An accepted event: what `acceptEvent` makes of that of a producer. */
export const OpenLineageEvent = z.discriminatedUnion("kind", [RunEvent, JobEvent, DatasetEvent]);

export type Job = z.infer<typeof Job>;
export type Run = z.infer<typeof Run>;
export type Dataset = z.infer<typeof Dataset>;
export type Input = z.infer<typeof Input>;
export type Output = z.infer<typeof Output>;
export type RunEvent = z.infer<typeof RunEvent>;
export type JobEvent = z.infer<typeof JobEvent>;
export type DatasetEvent = z.infer<typeof DatasetEvent>;
export type OpenLineageEvent = z.infer<typeof OpenLineageEvent>;
