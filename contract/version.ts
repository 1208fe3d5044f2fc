/**
 * Version of the published interface that is served: how it behaves where its versions differ, such as
 * for lineage without `lineage_depth` (500 before 0.29.0).
 */
export const contractVersion = "0.29.0";
