/** Maximum number of datasets on each side of an event; further ones are left out. */
export const maxDatasets = 1_000;
/** Maximum number of fields of a dataset, nested ones included, and most of each list or map by field. */
export const maxFields = 5_000;
/** Deepest nesting of what is stored, counted from the event. */
export const maxDepth = 32;
/** Longest text, such as SQL or a message, in bytes of UTF-8; longer ones are cut. */
export const maxTextBytes = 64 * 1_024;
/** Longest id of a run, in bytes of UTF-8. */
export const maxRunIdBytes = 300;
/**
 * Longest namespace and name of a job or dataset, in bytes of UTF-8: together they fit an entry of an
 * index.
 */
export const maxNamespaceBytes = 1_000;
export const maxNameBytes = 1_500;
/** Longest name of a field; those of nested fields are joined by dots. */
export const maxFieldNameBytes = 1_000;
/** Maximum number of entries of lists that no other limit names: owners, tags, tests, dependencies, inputs of a field. */
export const maxListed = 1_000;
/** Most other names of a dataset (`symlinks`). */
export const maxSymlinks = 100;
/** Maximum number of warnings listed individually; all are counted. */
export const maxWarnings = 100;
