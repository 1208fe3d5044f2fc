import { rmSync } from "node:fs";
import { eventually } from "#test/support/eventually.ts";

/**
 * Removes a directory in which a process that was killed, or its PostgreSQL, may still be writing its
 * last: then it is not empty when it has just been emptied.
 */
export async function removed(directory: string): Promise<void> {
  await eventually(() => rmSync(directory, { recursive: true, force: true }));
}
