import { type EngineSet, engineSets } from "#test/support/engines/instance.ts";
import { isLongRun } from "#test/support/size.ts";

/**
 * The engine sets of a costly test whose subject does not depend on them: the embedded one; all of them in
 * `npm run test:long`.
 */
export function setsBySize(): EngineSet[] {
  return isLongRun ? engineSets() : ["embedded"];
}

/** One set for a costly test that is as telling on either: Kafka and Neo4j where they are tested; all of them in `npm run test:long`. */
export function oneSetBySize(): EngineSet[] {
  return isLongRun ? engineSets() : engineSets().slice(-1);
}
