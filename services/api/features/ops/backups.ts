import { newestBackup } from "#platform/backup/scheduled.ts";
import type { Context } from "#platform/context.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import { type PartState, partState } from "#services/api/features/ops/part-state.ts";

const timeoutMs = 4_000;

/** OpsBackup. */
export interface BackupStatus extends PartState {
  scheduled: boolean;
  directory: string | null;
  every_seconds: number | null;
  newest_at: string | null;
}

/** The scheduled backups, as this process sees their directory. */
export class Backups {
  readonly #probe: CachedProbe<number | null>;

  constructor(private readonly context: Pick<Context, "config" | "clock">) {
    const { config: { backup: { directory, retain }, instance }, clock } = context;
    const read = () =>
      directory ? newestBackup({ directory, retain, instance }) : Promise.resolve(null);
    this.#probe = new CachedProbe({ read, timeoutMs, clock });
  }

  async status(): Promise<BackupStatus> {
    const { directory, every } = this.context.config.backup;
    const seen = await this.#probe.probe();
    const newest = seen.known ? seen.value : null;
    return {
      ...partState(seen),
      scheduled: Boolean(directory),
      directory: directory || null,
      every_seconds: directory ? Math.round(every / 1_000) : null,
      newest_at: newest === null ? null : new Date(newest).toISOString(),
    };
  }
}
