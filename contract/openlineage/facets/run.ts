import { z } from "@hono/zod-openapi";
import { Flag, RunId, Text, Whole, Word } from "../texts.ts";
import { facets, list, Named, Tag } from "./shapes.ts";

/** The run, or the job, that started this one; `root` is the first of the chain. */
export const Parent = z.object({
  run: z.object({ runId: RunId }),
  job: Named,
  root: z.object({ run: z.object({ runId: RunId }).optional(), job: Named }).optional(),
});

const NominalTime = z.object({
  nominalStartTime: Text,
  nominalEndTime: Text.optional(),
});

/** The stack trace is not kept. */
const ErrorMessage = z.object({
  message: Text,
  programmingLanguage: Text.optional(),
});

const ExternalQuery = z.object({ externalQueryId: Text, source: Text.optional() });

const ProcessingEngine = z.object({
  version: Text.optional(),
  name: Text.optional(),
  openlineageAdapterVersion: Text.optional(),
});

const ExtractionError = z.object({
  totalTasks: Whole.optional(),
  failedTasks: Whole.optional(),
  errors: list(z.object({ errorMessage: Text, task: Text.optional() })).optional(),
});

const Dependency = z.object({
  job: Named,
  run: z.object({ runId: RunId }).optional(),
  dependency_type: Text.optional(),
  sequence_trigger_rule: Text.optional(),
  status_trigger_rule: Text.optional(),
});

export const JobDependencies = z.object({
  upstream: list(Dependency).optional(),
  downstream: list(Dependency).optional(),
  trigger_rule: Text.optional(),
});

/** Tests that a run made; the facet is called `test` by the specification, and `testRun` by some producers. */
const TestRun = z.object({
  tests: list(z.object({
    name: Text,
    /** PASS, FAIL, SKIP. */
    status: Word,
    /** ERROR, WARN. */
    severity: Word.optional(),
    type: Text.optional(),
    expected: Text.optional(),
    actual: Text.optional(),
    content: Text.optional(),
    contentType: Text.optional(),
  })),
});

/** `_deleted` of a run facet is not in the specification, but means the same. */
export const runFacets = {
  parent: Parent,
  nominalTime: NominalTime,
  errorMessage: ErrorMessage,
  externalQuery: ExternalQuery,
  processing_engine: ProcessingEngine,
  extractionError: ExtractionError,
  jobDependencies: JobDependencies,
  tags: z.object({ tags: list(Tag).optional() }),
  test: TestRun,
  testRun: TestRun,
};

export const RunFacets = facets(runFacets);
export type RunFacets = z.infer<typeof RunFacets>;

/** A check of data, in an input, output or dataset facet. */
export const Assertion = z.object({
  assertion: Text,
  success: Flag,
  column: Text.optional(),
  severity: Word.optional(),
  name: Text.optional(),
  expected: Text.optional(),
  actual: Text.optional(),
  content: Text.optional(),
  contentType: Text.optional(),
});
