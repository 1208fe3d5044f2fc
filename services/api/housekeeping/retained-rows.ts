import type { Statement } from "#metadata/postgres/statement.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";

type Key = keyof Config["housekeeping"]["ttl"];

/** A member of `housekeeping.ttl` that is a number of rows. */
export type CountKey = Extract<Key, "recently_viewed_max_per_user">;

/** A member of `housekeeping.ttl`, in days. */
export type RetentionKey = Exclude<Key, CountKey>;

/**
 * Rows that are retained for a time: those older than the key says are removed (those of exactly that
 * age stay). Of several keys the longest time counts; a key without a value keeps everything.
 */
export interface AgeRetention<S = Statement<{ count: number }>> {
  /** Label in metrics and logs. */
  name: string;
  retentionKey: RetentionKey | RetentionKey[];
  /** $1 the time before which rows are removed, $2 most rows at once; returns the number of rows. */
  sql: S;
  /** Computes $3 for statements that need it. */
  also?: (context: Pick<Context, "graph">) => Promise<number | null>;
}

/** Rows that are retained up to a number, whatever their age. */
export interface CountRetention<S = Statement<{ count: number }>> {
  name: string;
  max: number | CountKey;
  /** $1 how many are stored, $2 most rows at once. */
  sql: S;
}
