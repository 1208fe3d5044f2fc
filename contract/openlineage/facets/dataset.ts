import { z } from "@hono/zod-openapi";
import { taking } from "../lenient.ts";
import { maxFields, maxSymlinks } from "../limits.ts";
import { FieldName, Num, Text, Uri, Whole, Word } from "../texts.ts";
import { DatasetLineage, maxTransformations, Transformation } from "./lineage.ts";
import { Assertion } from "./run.ts";
import { byField, Documentation, facets, list, Named, Ownership, Tag } from "./shapes.ts";

/** A column; struct-like ones have `fields`. */
export interface SchemaField {
  name: string;
  type?: string | undefined;
  description?: string | undefined;
  ordinal_position?: number | undefined;
  fields?: SchemaField[] | undefined;
}

export const SchemaField: z.ZodType<SchemaField> = z.object({
  name: FieldName,
  type: Text.optional(),
  description: Text.optional(),
  ordinal_position: Whole.optional(),
  fields: z.lazy(() => list(SchemaField, maxFields)).optional(),
});

export const Schema = z.object({ fields: list(SchemaField, maxFields).optional() });

/** A field that another one, or the whole dataset, was made from. */
const InputField = Named.extend({
  field: FieldName,
  transformations: list(Transformation, maxTransformations).optional(),
});

export const ColumnLineage = z.object({
  fields: byField(z.object({
    inputFields: list(InputField),
    transformationDescription: Text.optional(),
    transformationType: Word.optional(),
  })).optional(),
  /** Fields that all others depend on, as by a filter. */
  dataset: list(InputField, maxFields).optional(),
});

const DataQualityMetrics = z.object({
  rowCount: Whole.optional(),
  bytes: Whole.optional(),
  fileCount: Whole.optional(),
  lastUpdated: Text.optional(),
  columnMetrics: byField(z.object({
    nullCount: Whole.optional(),
    distinctCount: Whole.optional(),
    sum: Num.optional(),
    count: Num.optional(),
    min: Num.optional(),
    max: Num.optional(),
    quantiles: taking(100, z.record(FieldName, Num)).optional(),
  })).optional(),
});

const DataQualityAssertions = z.object({ assertions: list(Assertion, maxFields) });

/** `rowCount`, `size` in bytes and `fileCount` of what a run read or wrote. */
const IoStatistics = z.object({
  rowCount: Whole.optional(),
  size: Whole.optional(),
  fileCount: Whole.optional(),
});

export const datasetFacets = {
  schema: Schema,
  documentation: Documentation,
  tags: z.object({ tags: list(Tag.extend({ field: Text.optional() })).optional() }),
  ownership: Ownership,
  storage: z.object({ storageLayer: Text.optional(), fileFormat: Text.optional() }),
  dataSource: z.object({ name: Text.optional(), uri: Uri.optional() }),
  catalog: z.object({
    framework: Text.optional(),
    type: Text.optional(),
    name: Text.optional(),
    metadataUri: Uri.optional(),
    warehouseUri: Uri.optional(),
    source: Text.optional(),
  }),
  version: z.object({ datasetVersion: Text }),
  hierarchy: z.object({ hierarchy: list(z.object({ type: Text, name: Text }), 20) }),
  datasetType: z.object({ datasetType: Word, subType: Word.optional() }),
  symlinks: z.object({
    identifiers: list(Named.extend({ type: Word.optional() }), maxSymlinks).optional(),
  }),
  columnLineage: ColumnLineage,
  dataQualityMetrics: DataQualityMetrics,
  dataQualityAssertions: DataQualityAssertions,
  lifecycleStateChange: z.object({
    /** ALTER, CREATE, DROP, OVERWRITE, RENAME, TRUNCATE. */
    lifecycleStateChange: Word,
    previousIdentifier: Named.optional(),
  }),
  lineage: DatasetLineage,
};

export const DatasetFacets = facets(datasetFacets);
export type DatasetFacets = z.infer<typeof DatasetFacets>;

export const inputFacets = {
  dataQualityMetrics: DataQualityMetrics,
  dataQualityAssertions: DataQualityAssertions,
  inputStatistics: IoStatistics,
};

export const InputFacets = facets(inputFacets);
export type InputFacets = z.infer<typeof InputFacets>;

export const outputFacets = {
  dataQualityMetrics: DataQualityMetrics,
  dataQualityAssertions: DataQualityAssertions,
  outputStatistics: IoStatistics,
};

export const OutputFacets = facets(outputFacets);
export type OutputFacets = z.infer<typeof OutputFacets>;
