import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { ask, type Schema } from "#web/api/client.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { download, fileName } from "#web/features/lineage/download.ts";
import { useAnswers, useStable } from "#web/features/lineage/hooks.ts";
import { type Impact, impactOf } from "#web/features/lineage/impact-rows.ts";
import { queryFor, type Question, rootQuestion, stepQuestion } from "#web/features/lineage/load.ts";
import { impactCsv } from "#web/graph/export/impact.ts";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

const nothingYet: Impact = { rows: [], complete: true };

/** The impact of some roots; while something of it is read, the last one that was whole. */
export function useImpact(
  roots: readonly number[],
  state: LineageState,
): { impact: Impact; pending: boolean } {
  const impactState = useStable(impactStateOf(state));
  const { listed, beyond } = useMemo(
    () => impactQuestions(roots, impactState),
    [roots, impactState],
  );
  const { answers, pieceOf } = useAnswers(useMemo(() => [...listed, ...beyond], [listed, beyond]));
  const pending = answers.some(({ isPending }) => isPending);
  const last = useRef(nothingYet);
  const impact = useMemo(
    () => pending ? last.current : impactOf(listed.map(pieceOf), beyond.map(pieceOf)),
    [pending, pieceOf, listed, beyond],
  );
  last.current = impact;
  return { impact, pending };
}

type ImpactState = Pick<LineageState, "up" | "down" | "members" | "steps" | "asOf" | "compare">;

/** The part of the state that the impact depends on: not what the drawing folds, marks or shows. */
function impactStateOf(state: LineageState): ImpactState {
  const { up, down, members, steps, asOf, compare } = state;
  return { up, down, members, steps, asOf, compare };
}

/**
 * What is asked to list the impact of some roots: `listed` tells the entities, `beyond` all the ways to them. Only what
 * was opened on from another entity may have a way that no answer brought.
 */
function impactQuestions(
  roots: readonly number[],
  state: ImpactState,
): { listed: Question[]; beyond: Question[] } {
  const further = state.steps.flatMap((step) => stepQuestion(step, state) ?? []);
  const listed = [...roots.map((id) => rootQuestion(id, state)), ...further];
  const everything = { ...state, up: "all", down: "all" } as const;
  const isWhole = further.length === 0 || state.members;
  return { listed, beyond: isWhole ? [] : roots.map((id) => rootQuestion(id, everything)) };
}

/** What lineage does not contain about an entity. */
export type Brief = Schema<"DataEntityBrief">;

/** Entities of one request for details; the service takes no more. */
const maxRequested = 500;

const briefsPath = "/api/dataentities/details";

const noBriefs: ReadonlyMap<number, Brief> = new Map();

/** Owners of entities by id, read for those that are looked at. */
export function useBriefs(ids: readonly number[]): ReadonlyMap<number, Brief> {
  const requested = [...ids].slice(0, maxRequested).sort((a, b) => a - b);
  const { data } = useQuery({
    queryKey: [briefsPath, requested],
    enabled: requested.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      new Map((await readBriefs(requested, signal)).map((item) => [item.id, item])),
  });
  return data ?? noBriefs;
}

async function readBriefs(ids: readonly number[], signal?: AbortSignal): Promise<Brief[]> {
  const { data } = await ask("get", briefsPath, { query: { ids: [...ids] }, signal });
  return data.items;
}

/**
 * Downloads the impact of some roots with the owners. A list that is not complete says so in its name, in each row and
 * on the screen. Throws when something of it cannot be read.
 */
export async function saveRows(
  queries: QueryClient,
  roots: readonly number[],
  state: LineageState,
  title: string,
): Promise<void> {
  const { listed, beyond } = impactQuestions(roots, impactStateOf(state));
  const answersTo = (of: Question[]) =>
    Promise.all(of.map((one) => queries.fetchQuery(queryFor(one))));
  const { rows, complete } = impactOf(await answersTo(listed), await answersTo(beyond));
  const owners = await ownersOf(rows.map(({ node }) => node.id));
  const full = rows.map((row) => ({ ...row, owners: owners.get(row.node.id) }));
  const csv = new Blob([impactCsv(full, complete)], { type: "text/csv" });
  download(csv, fileName(complete ? title : t("lineage.partialFile", { title }), "csv"));
  if (complete) return;
  toast(t("lineage.theCsvIsPartial"), {
    about: t("lineage.serverLimit"),
    tone: "bad",
  });
}

/** Names of owners by id of entity, for a file; left out where they cannot be read. */
async function ownersOf(ids: readonly number[]): Promise<ReadonlyMap<number, string[]>> {
  const owners = new Map<number, string[]>();
  for (let from = 0; from < ids.length; from += maxRequested) {
    const items = await readBriefs(ids.slice(from, from + maxRequested)).catch(() => []);
    for (const { id, ownership } of items) {
      owners.set(id, ownership?.map(({ owner }) => owner.name) ?? []);
    }
  }
  return owners;
}
