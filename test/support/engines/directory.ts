import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { eventually } from "#test/support/eventually.ts";

/**
 * Removes a directory in which a process that was killed, or its PostgreSQL, may still be writing its
 * last: then it is not empty when it has just been emptied.
 */
export async function removed(directory: string): Promise<void> {
  await eventually(() => rmSync(directory, { recursive: true, force: true }));
}

/**
 * Where engines that tests start keep their data: in memory where there is room (`global-setup.ts`). A database has a
 * thousand files, and creating and deleting those on a disk takes much CPU. A service must not use it as its data
 * directory: the runtime refuses paths below `/dev` to a process with restricted permissions.
 */
export function engineFolder(): string {
  return process.env.TRIBUTARY_TEST_MEMORY ?? tmpdir();
}
