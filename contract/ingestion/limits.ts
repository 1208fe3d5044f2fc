/** Maximum number of items of one metadata batch. */
export const maxItems = 300_000;
/** Maximum number of fields of one dataset. */
export const maxFields = 20_000;
/** Most CATRNs of one list: inputs, outputs, group members, datasets of a test. */
export const maxNamed = 100_000;
/** Most column edges of one item: sources, over all targets. */
export const maxColumnEdges = 50_000;
/** Longest name of a column, in bytes, and longest subtype and description of a column edge, in UTF-16 units. */
export const maxColumnBytes = 1_000;
export const maxEdgeSubtype = 100;
export const maxEdgeDescription = 2_000;
/** Most tags, metadata extensions or links of one entity or field. */
export const maxMarks = 1_000;
/** Maximum number of owners of one entity. */
export const maxOwners = 100;
/** Maximum number of members of one free map: metadata, attributes, expectation, labels. */
export const maxMapMembers = 10_000;
/** Maximum number of values of one enumeration. */
export const maxEnumValues = 10_000;
/** Most data sources of one request. */
export const maxDataSources = 10_000;
/** Maximum number of datasets with statistics, or metric targets, of one request. */
export const maxTargets = 100_000;
/** Most metric families, metrics or points in one list. */
export const maxSeries = 10_000;
/** Maximum number of fields with statistics, and most metric points, of one request. */
export const maxStatistics = 50_000;
export const maxPoints = 50_000;
/** Maximum number of buckets or quantiles of one metric point. */
export const maxBuckets = 1_000;
