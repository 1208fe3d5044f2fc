import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { read, type Schema } from "#web/api/client.ts";
import type { BoxHealth } from "#web/graph/health.ts";
import type { Model, View } from "#web/graph/model.ts";
import { distances } from "#web/graph/walks.ts";
import type { Walkable } from "#web/graph/walkable.ts";
import { useSame } from "#web/features/lineage/hooks.ts";

/** Entities of one request; the service takes no more. */
const maxRequested = 200;
/** In a drawing of more boxes nobody can see how each is. */
const maxBoxes = 400;

/** How the entities of a drawing are, read for those that have a box of their own, and for jobs that are lines. */
export function useHealth(
  { nodes, edges }: View,
  model: Model,
  graph: Walkable,
  isPast: boolean,
): ReadonlyMap<number, BoxHealth> {
  const ids = useMemo(() => {
    if (isPast || nodes.length > maxBoxes) return [];
    const single = nodes.filter(({ kind }) => kind === "entity").map(({ members }) => members[0]!);
    // Several jobs of a line are counted, not named.
    const jobs = edges.flatMap((edge) => edge.jobs.length === 1 ? edge.jobs : []);
    return [...new Set([...single, ...jobs])].filter((id) => !model.nodes.get(id)?.hollow)
      .sort((a, b) => a - b);
  }, [nodes, edges, model, isPast]);
  const answers = useQueries({
    queries: chunks(ids).map((of) => ({
      ...read("/api/dataentities/health", { params: { query: { ids: of } } }),
      staleTime: 60_000,
      retry: false,
    })),
  });
  const pieces = useSame(answers.map(({ data }) => data));
  return useMemo(() => {
    const below = belowAlerts(model, graph);
    const items = pieces.flatMap((piece) => piece?.items ?? []);
    return new Map(items.map((item) => [item.id, healthOf(item, below.has(item.id))]));
  }, [pieces, model, graph]);
}

function healthOf(
  { freshness, last_run, tests, owners, columns_total }: Schema<"AssetHealth">,
  isBelowAlert: boolean,
): BoxHealth {
  return {
    freshness: freshness?.state ?? null,
    tests: { total: tests.total, passed: tests.success_total, failed: tests.failed_total },
    lastRun: last_run && { status: last_run.status, at: Date.parse(last_run.at) },
    owners: owners.map(({ name }) => name),
    columns: columns_total,
    isBelowAlert,
  };
}

/** Entities that something with open alerts feeds, within the drawing. */
function belowAlerts({ nodes }: Model, { ids, index, down }: Walkable): Set<number> {
  const starts = [...nodes.values()].filter(({ hasAlerts }) => hasAlerts)
    .flatMap(({ id }) => index.get(id) ?? []);
  const steps = distances(ids.length, starts, [down]);
  return new Set(ids.filter((_, at) => steps[at]! > 0));
}

function chunks(ids: readonly number[]): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < ids.length; at += maxRequested) {
    found.push(ids.slice(at, at + maxRequested));
  }
  return found;
}
