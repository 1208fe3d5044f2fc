import type { z } from "zod";

/**
 * What a store gave back, read by its schema; undefined for what is none, such as what another release has written:
 * it must be as if it were not there, not a failure for as long as it is kept.
 */
export function parseStored<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
