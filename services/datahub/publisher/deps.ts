import type { QueueDeps } from "#platform/composed-source/deps.ts";
import type { Config } from "#platform/config/schema.ts";
import type { DatahubNaming } from "#platform/naming/datahub/names.ts";
import type { NamingMemory } from "#platform/naming/memory.ts";
import type { Table } from "./rows.queries.ts";

/** What the publisher works with. */
export interface PublisherDeps extends QueueDeps<Table> {
  config: Config["datahub"];
  naming: DatahubNaming;
  memory: NamingMemory;
}

/** Under which namespace warnings of DataHub are listed. */
export const warningNamespace = "datahub";
