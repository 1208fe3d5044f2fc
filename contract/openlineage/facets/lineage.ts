// The explicit `lineage` facet, which is experimental: nothing else reads it from an event.
import { z } from "@hono/zod-openapi";
import { maxDatasets } from "../limits.ts";
import { FieldName, Flag, Name, Namespace, RunId, Text, Word } from "../texts.ts";
import { byField, list } from "./shapes.ts";

/** How a field of an input became the target. */
export const Transformation = z.object({
  /** DIRECT or INDIRECT. */
  type: Word,
  subtype: Word.optional(),
  description: Text.optional(),
  masking: Flag.optional(),
});

/** Maximum number of steps of one input of a field. */
export const maxTransformations = 20;

/** A source: a dataset, one of its fields, or a job; a JOB without a name is that of the event. */
const LineageInput = z.object({
  namespace: Namespace.optional(),
  name: Name.optional(),
  /** DATASET or JOB. */
  type: Word,
  field: FieldName.optional(),
  runId: RunId.optional(),
  transformations: list(Transformation, maxTransformations).optional(),
});

const Inputs = list(LineageInput, maxDatasets);
const FieldInputs = z.object({ inputs: Inputs.optional() });

/** What a target was made from. Given without `inputs`, a dataset is made from its `fields`' inputs alone. */
const LineageEntry = z.object({
  namespace: Namespace.optional(),
  name: Name.optional(),
  type: Word,
  runId: RunId.optional(),
  inputs: Inputs.optional(),
  fields: byField(FieldInputs).optional(),
});

/** As a facet of a job. */
export const JobLineage = z.object({ entries: list(LineageEntry, maxDatasets) });

/** As a facet of a dataset, which is the target. */
export const DatasetLineage = z.object({
  inputs: Inputs.optional(),
  fields: byField(FieldInputs).optional(),
});
