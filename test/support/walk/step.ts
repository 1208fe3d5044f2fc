/** Ids and names that steps found, for those that follow. */
export type FoundIds = Record<string, string | number>;

type Call = [method: string, path: string, body?: unknown];

/** One operation, how to call it, and what of its answer later steps need. */
export type Step = [
  id: string,
  call: (found: FoundIds) => Call,
  // deno-lint-ignore no-explicit-any -- answers of every operation
  keep?: (json: any) => FoundIds,
];

export const page = "page=1&size=10";
