import { longestRestartMs } from "#kit/supervisor.ts";

/**
 * Seconds within which a worker goes on once the cause of its state is gone, by state; of workers that differ by their
 * name. Workers take their longest pause from here, and the documentation is generated from it; tests
 * measure it (`test/faults/recoveries.ts`, `goesOnInTime`).
 */
export const recovery = {
  waiting: {
    others: 2,
    "service publisher": 10,
    "OpenLineage composer": 10,
    "DataHub publisher": 10,
  },
  refused: { others: 2 },
  waiting_for_metadata: { others: 2, "review of held messages": 5 },
  database_down: { others: 5 },
  event_log_down: { others: 5 },
  graph_down: { others: 2 },
  log_down: { others: 10 },
  failed: { others: 5 },
  restarting: { others: longestRestartMs / 1_000 },
  accept_failed: { others: 2 },
  not_listening: { others: 2 },
  port_taken: { others: 1 },
} satisfies Record<string, { others: number; [worker: string]: number }>;

/** The longest pause of a worker between two tries in such a state, ms. */
export function longestPause(state: keyof typeof recovery, worker = "others"): number {
  const seconds = new Map<string, number>(Object.entries(recovery[state]));
  return (seconds.get(worker) ?? recovery[state].others) * 1_000;
}
