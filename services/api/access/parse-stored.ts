import type { z } from "zod";

/**
 * A stored value, parsed by its schema; undefined for an invalid one, such as that of another release:
 * it must be as if it were not there, not a failure for as long as it is stored.
 */
export function parseStored<S extends z.ZodType>(schema: S, text: string): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
