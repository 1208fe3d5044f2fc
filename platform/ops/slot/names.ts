import type { Config } from "#platform/config/schema.ts";

/** What of the database server the reader goes by. */
export interface SlotNames {
  slot: string;
  publication: string;
  /** Number of the advisory lock under which slot and publication are made and dropped. */
  lockId: number;
}

/** `<instance>_alerts` for both, unless the configuration names them; slots take no hyphens. */
export function slotNames({ instance, notifications: { wal } }: Config): SlotNames {
  const name = `${instance.replaceAll("-", "_")}_alerts`;
  return {
    slot: wal["replication-slot-name"] ?? name,
    publication: wal["publication-name"] ?? name,
    lockId: wal["advisory-lock-id"],
  };
}
