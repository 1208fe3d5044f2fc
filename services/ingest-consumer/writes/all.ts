import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, Write } from "../change-set.ts";
import { markTakenOver, writeActivity } from "./activity.ts";
import { resolveSourceAlerts, writeAlerts } from "./alerts.ts";
import { writeColumns } from "./columns.ts";
import { updateEntities } from "./entities.ts";
import { writeGroups, writeRelationships, writeTests } from "./references.ts";
import { writeLineage } from "./lineage.ts";
import { writeMetadata } from "./metadata.ts";
import { writeOwners } from "./owners.ts";
import { writeRuns } from "./runs.ts";
import { writeSearch } from "./search.ts";
import { writeStructure } from "./structure.ts";
import { writeTags } from "./tags.ts";

/**
 * The writes of a chunk, in order: entities first, search after all whose words it reads, alerts after those that signal
 * what may raise them.
 */
const writes: Write[] = [
  updateEntities,
  writeTags,
  writeOwners,
  writeMetadata,
  writeStructure,
  writeSearch,
  writeTests,
  writeGroups,
  writeRelationships,
  writeLineage,
  writeColumns,
  writeRuns,
  writeActivity,
  markTakenOver,
  after(writeAlerts),
  after(resolveSourceAlerts),
];

/** Begins when all before it are done. */
function after(write: Write): Write {
  return async (tx, set, before) => {
    await before;
    await write(tx, set, before);
  };
}

/**
 * Writes all of a chunk. While PostgreSQL executes the statements of one write, the parameters of the next are made: it has its
 * next statement as soon as it is done. When one fails, no other is at work any more once this rejects.
 */
export async function writeAll(tx: Transaction, set: ChangeSet, all = writes): Promise<void> {
  let before = Promise.resolve();
  for (const write of all) {
    const next = write(tx, set, before);
    await settled(before, next);
    before = next;
  }
  await before;
}

/** Resolves with `first`; where that fails, rejects when `second` has ended too. */
async function settled(first: Promise<void>, second: Promise<void>): Promise<void> {
  second.catch(() => {});
  try {
    await first;
  } catch (error) {
    await second.catch(() => {});
    throw error;
  }
}
