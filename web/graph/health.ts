import type { Schema } from "#web/api/client.ts";

type RunStatus = Schema<"LastRun">["status"];

/** How an entity is at the moment, as far as a drawing shows it. */
export interface BoxHealth {
  /** Null where too little is known of its updates. */
  freshness: "FRESH" | "LATE" | null;
  /** Tests by their last result; one that was broken or never ran neither passed nor failed. */
  tests: { total: number; passed: number; failed: number };
  /** Of a job; `at` in milliseconds since 1970. */
  lastRun: { status: RunStatus; at: number } | null;
  /** Names of owners. */
  owners: readonly string[];
  /** Of its newest schema. */
  columns: number;
  /** Something that feeds it, within the drawing, has open alerts. */
  isBelowAlert: boolean;
}

/** The first letters of the first and the last word of a name, as its badge has them. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/[\s._-]+/u).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...word ?? ""][0] ?? "");
  return letters.join("").toUpperCase();
}
