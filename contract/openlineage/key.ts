import { isDeleted, type OpenLineageEvent, type RunEvent } from "./event.ts";

/**
 * The key of an event's record, as the clients' own Kafka transports write it: all runs of a job, and all
 * runs below one root, keep their order.
 */
export function keyOf(event: OpenLineageEvent): string {
  if (event.kind === "dataset") return `dataset:${nameOf(event.dataset)}`;
  if (event.kind === "job") return `job:${nameOf(event.job)}`;
  return `run:${nameOf(firstJobOf(event))}`;
}

/** The root of the chain of runs, else the parent, else the job itself. */
function firstJobOf({ run, job }: RunEvent) {
  const { parent } = run.facets;
  if (!parent || isDeleted(parent)) return job;
  return parent.root?.job ?? parent.job;
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}
