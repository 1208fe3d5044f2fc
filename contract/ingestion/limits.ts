/** Most items of one batch of metadata. */
export const maxItems = 300_000;
/** Most fields of one dataset. */
export const maxFields = 20_000;
/** Most CATRNs of one list: inputs, outputs, members, datasets of a test. */
export const maxNamed = 100_000;
/** Most tags, extensions of metadata, or links of one entity or field. */
export const maxMarks = 1_000;
/** Most members of one free map: metadata, attributes, an expectation, labels. */
export const maxMapMembers = 10_000;
/** Most values of one enumeration. */
export const maxEnumValues = 10_000;
/** Most data sources of one call. */
export const maxDataSources = 10_000;
/** Most datasets with statistics, or targets of metrics, of one call. */
export const maxTargets = 100_000;
/** Most families, metrics or points of one list of metrics. */
export const maxSeries = 10_000;
/** Most fields with statistics, and most points of metrics, of one call. */
export const maxStatistics = 50_000;
export const maxPoints = 50_000;
/** Most buckets or quantiles of one point. */
export const maxBuckets = 1_000;
