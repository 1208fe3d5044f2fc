/**
 * Seconds within which a worker goes on once the cause of its state is gone, by state; of workers that differ by their
 * name. What operators are told is written of it, and `test/faults/recovery.test.ts` measures it.
 */
export const recovery = {
  waiting: { others: 2, "service publisher": 10, "OpenLineage composer": 10 },
  waiting_for_metadata: { others: 2, "review of held messages": 5 },
  database_down: { others: 5 },
} satisfies Record<string, { others: number; [worker: string]: number }>;
