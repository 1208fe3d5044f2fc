import { z } from "@hono/zod-openapi";
import { Text, Uri, Whole, Word } from "../texts.ts";
import { JobLineage } from "./lineage.ts";
import { JobDependencies } from "./run.ts";
import { Documentation, facets, list, Ownership, Tag } from "./shapes.ts";

const JobType = z.object({
  /** BATCH, STREAMING, SERVICE. */
  processingType: Word.optional(),
  /** BOUNDED, UNBOUNDED, … */
  lifecycleType: Word.optional(),
  integration: Word.optional(),
  /** QUERY, DAG, TASK, JOB, MODEL, TEST, … */
  jobType: Word.optional(),
  emissionPattern: z.object({
    eventTrigger: Word.optional(),
    /** COMPLETE_SNAPSHOT, ACCUMULATIVE, … */
    eventContentMode: Word.optional(),
    windowDuration: Whole.optional(),
  }).optional(),
});

const SourceCodeLocation = z.object({
  type: Text.optional(),
  url: Uri.optional(),
  repoUrl: Uri.optional(),
  path: Text.optional(),
  version: Text.optional(),
  tag: Text.optional(),
  branch: Text.optional(),
});

export const jobFacets = {
  sql: z.object({ query: Text, dialect: Text.optional() }),
  documentation: Documentation,
  sourceCodeLocation: SourceCodeLocation,
  jobType: JobType,
  tags: z.object({ tags: list(Tag).optional() }),
  ownership: Ownership,
  jobDependencies: JobDependencies,
  lineage: JobLineage,
};

export const JobFacets = facets(jobFacets);
export type JobFacets = z.infer<typeof JobFacets>;
