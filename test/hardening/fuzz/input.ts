import type { FuzzWorld } from "./world.ts";

/** Something that is sent, with all that is needed to send it again. */
export interface Input {
  /** Where it goes in. */
  entrance: string;
  /** For the report. */
  shown: string;
  /** How many inputs it counts for; 1 unless told. */
  count?: number;
  /** Sends it; what is wrong with the answer, or null. */
  send(world: FuzzWorld): Promise<string | null>;
}
