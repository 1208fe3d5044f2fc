import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { Failure, Shown } from "#web/kit/states.tsx";
import { type Column, Table, textColumn, timeColumn } from "#web/kit/table.tsx";
import { RenameOffer } from "#web/components/rename-offer.tsx";
import { nameOf, TabLink } from "#web/components/entity-link.tsx";
import { isOpen, RunResult, RunStateBadge } from "#web/features/management/connection-run.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";
import { noun } from "#web/kit/numbers.ts";

type Run = Schema<"ConnectionRun">;

/** Milliseconds between two reads of a run that goes on. */
const pollMs = 1_000;

/** Milliseconds between two looks for renames. */
const offersMs = 3_000;

/** What a connection did, the newest run whole; with the buttons that begin one. */
export function ConnectionRuns(
  { of, canRun, onClose }: { of: Schema<"Connection">; canRun: boolean; onClose: () => void },
) {
  const runs = useQuery({
    ...read("/api/connections/{connection_id}/runs", {
      path: { connection_id: of.id },
      query: { page: 1, size: 20 },
    }),
    refetchInterval: ({ state }) => state.data?.items.some(isOpen) ? pollMs : false,
  });
  const [newest] = runs.data?.items ?? [];
  const renames = useQuery({
    ...read("/api/connections/{connection_id}/renames", {
      path: { connection_id: of.id },
      query: { page: 1, size: 20 },
    }),
    enabled: newest !== undefined && !isOpen(newest),
    // What a run has found is in the catalogue soon after it.
    refetchInterval: offersMs,
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={of.name}
      about={of.data_source_catrn}
      actions={canRun && <RunButtons of={of} open={runs.data?.items.find(isOpen)} />}
    >
      <Shown of={runs} what={t("management.runs")} bones={3}>
        {({ items }: Schema<"ConnectionRunList">) => (
          <div className={styles.stack}>
            {items[0] ? <RunResult of={items[0]} /> : <p>{t("management.noRunsYetTestThe")}</p>}
            {items[0] && hasBrought(items[0]) && of.data_source_id && (
              <AssetsOfSource key={items[0].id} source={of.data_source_id} />
            )}
            {renames.data?.items.map((offer) => <RenameOffer key={offer.id} of={offer} />)}
            {items.length > 1 && (
              <Table<Run>
                label={t("management.earlierRuns")}
                columns={columns()}
                rows={items.slice(1)}
                keyOf={({ id }) => id}
              />
            )}
          </div>
        )}
      </Shown>
    </Dialog>
  );
}

/** Whether there is something to go to. */
const hasBrought = (run: Run) => run.kind === "RUN" && !isOpen(run) && run.counts.read > 0;

const columns = (): Column<Run>[] => [
  { name: t("management.kind"), cell: ({ kind }) => noun(kind) },
  { name: t("management.state"), cell: ({ state }) => <RunStateBadge state={state} /> },
  { name: t("management.read"), right: true, cell: ({ counts }) => counts.read },
  textColumn(t("management.cause"), ({ error }) => error?.reason),
  timeColumn(t("management.at"), ({ requested_at }) => requested_at),
];

const requests = [
  ["/api/connections/{connection_id}/test", "management.test"],
  ["/api/connections/{connection_id}/preview", "management.preview"],
  ["/api/connections/{connection_id}/run", "management.runNow", "primary"],
] as const;

function RunButtons({ of, open }: { of: Schema<"Connection">; open: Run | undefined }) {
  const queries = useQueryClient();
  const request = useMutation({
    mutationFn: (path: (typeof requests)[number][0]) =>
      send("post", path, { path: { connection_id: of.id } }),
    onSuccess: () => refresh(queries, "/api/connections"),
  });
  const cancel = useMutation({
    mutationFn: (id: number) =>
      send("post", "/api/connection-runs/{run_id}/cancel", { path: { run_id: id } }),
    onSuccess: () => refresh(queries, "/api/connections"),
  });
  if (request.isError) return <Failure error={request.error} onRetry={request.reset} />;
  return (
    <>
      {open && (
        <Button onClick={() => cancel.mutate(open.id)}>{t("management.cancelTheRun")}</Button>
      )}
      {requests.map(([path, text, variant]) => (
        <Button
          key={path}
          variant={variant}
          busy={request.isPending && request.variables === path}
          onClick={() => request.mutate(path)}
        >
          {t(text)}
        </Button>
      ))}
    </>
  );
}

/** Milliseconds between two looks for assets, which come soon after the run, and most looks. */
const again = { ms: 1_500, most: 20 };

/** Leads from a run to the assets of its source, and to the lineage of one that has some. */
function AssetsOfSource({ source }: { source: number }) {
  const classes = useQuery({ ...read("/api/dataentities/classes"), staleTime: Infinity }).data;
  const readers = classes?.entity_classes.find(({ name }) => name === "DATA_TRANSFORMER")?.id;
  const filters = {
    datasources: [{ entity_id: source, selected: true }],
    entity_classes: [{ entity_id: readers ?? 0, selected: true }],
  };
  const search = useQuery({
    queryKey: ["/api/search", { source, readers }],
    queryFn: () => send("post", "/api/search", { body: { query: "", filters } }),
    enabled: readers !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.total || state.dataUpdateCount >= again.most ? false : again.ms,
  });
  const id = search.data?.search_id ?? "";
  const found = useQuery({
    ...read("/api/search/{search_id}/results", {
      path: { search_id: id },
      query: { page: 1, size: 1 },
    }),
    enabled: Boolean(search.data?.total),
  });
  const first = found.data?.items[0];
  return (
    <p className={styles.links}>
      <Link
        to="/search"
        search={{ datasources: String(source) } as never}
        className={buttonClass({ small: true })}
      >
        {t("management.showAssets")}
      </Link>
      {first && (
        <TabLink id={first.id} tab="lineage" className={buttonClass({ small: true })}>
          {t("management.lineageOf", { name: nameOf(first) })}
        </TabLink>
      )}
    </p>
  );
}
