import { z } from "@hono/zod-openapi";
import { Int, nullable } from "#contract/catalogue/common.ts";

export const demonstrationStates = [
  "AVAILABLE",
  "RUNNING",
  "DONE",
  "FAILED",
  "UNAVAILABLE",
] as const;

/**
 * Whether the demonstration can be loaded, and how far that is: `AVAILABLE` on an empty catalogue only, `UNAVAILABLE` on any
 * other. `next` is what is loaded at the moment, `problem` why it failed.
 */
export const Demonstration = z.object({
  state: z.enum(demonstrationStates).openapi("DemonstrationState"),
  done: Int,
  total: Int,
  next: nullable(z.string()),
  problem: nullable(z.string()),
}).openapi("Demonstration");
export type Demonstration = z.output<typeof Demonstration>;
