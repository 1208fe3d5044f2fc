import type { Write } from "../change-set.ts";
import { writeActivity } from "./activity.ts";
import { writeAlerts } from "./alerts.ts";
import { writeColumns } from "./columns.ts";
import { updateEntities } from "./entities.ts";
import { writeGroups } from "./groups.ts";
import { writeLineage } from "./lineage.ts";
import { writeMetadata } from "./metadata.ts";
import { writeOwners } from "./owners.ts";
import { writeRelationships } from "./relationships.ts";
import { writeRuns } from "./runs.ts";
import { writeSearch } from "./search.ts";
import { resolveSourceAlerts } from "./source-alerts.ts";
import { writeStructure } from "./structure.ts";
import { writeTags } from "./tags.ts";
import { writeTests } from "./tests.ts";

/** The writes of a part, in order: entities first, search last because it reads all the others. */
export const writes: Write[] = [
  updateEntities,
  writeTags,
  writeOwners,
  writeMetadata,
  writeStructure,
  writeTests,
  writeGroups,
  writeRelationships,
  writeLineage,
  writeColumns,
  writeRuns,
  writeActivity,
  writeAlerts,
  resolveSourceAlerts,
  writeSearch,
];
