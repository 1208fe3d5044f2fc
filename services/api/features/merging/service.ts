export { listDuplicates } from "#services/api/features/merging/merge.ts";
export { mergeNamespaces } from "#services/api/features/merging/namespaces.ts";
export { mergeOwners } from "#services/api/features/merging/owners.ts";
export { mergeTags } from "#services/api/features/merging/tags.ts";
export { mergeTerms } from "#services/api/features/merging/terms.ts";
