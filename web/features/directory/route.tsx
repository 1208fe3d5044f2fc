import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Download } from "lucide-react";
import { ask, read, type Schema } from "#web/api/client.ts";
import { classes } from "#web/kit/classes.ts";
import { count, listText, shortCount, words } from "#web/kit/numbers.ts";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { buttonClass, Choice } from "#web/kit/button.tsx";
import { Time } from "#web/kit/time.tsx";
import { type VirtualColumn, VirtualTable } from "#web/kit/virtual-table.tsx";
import styles from "#web/features/directory/directory.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { StatusBadge } from "#web/components/status.tsx";

/** Everything by where it comes from: kinds of sources, sources, and what they hold. */
export function DirectoryScreen() {
  const [{ source }] = useParamsOfView();
  const kinds = useQuery(read("/api/directory"));
  return (
    <Page title={t("directory.directory")} about={t("directory.allAssetsBySource")}>
      <div className={styles.columns}>
        <nav aria-label={t("directory.sources")} className={styles.tree}>
          <Shown of={kinds} what={t("directory.directory2")} bones={6}>
            {({ items }) =>
              items.length === 0
                ? (
                  <Empty title={t("directory.noSourceYet")}>
                    <Rich
                      of="directory.hasWhatCollectorsNeed"
                      values={{
                        link: (
                          <Link to="/management/$section" params={{ section: "integrations" }}>
                            {t("directory.integrations")}
                          </Link>
                        ),
                      }}
                    />
                  </Empty>
                )
                : items.map((one) => <Kind key={one.prefix} {...one} />)}
          </Shown>
        </nav>
        <div>
          {source
            ? <SourceEntities key={source} id={Number(source)} />
            : (
              <Empty title={t("directory.chooseASource")}>
                {t("directory.itsAssetsAreListedHere")}
              </Empty>
            )}
        </div>
      </div>
    </Page>
  );
}

/** A kind of sources, such as PostgreSQL, with its sources when it is open. */
function Kind(
  { prefix, name, entities_count }: { prefix: string; name: string; entities_count: number },
) {
  const [params, change] = useParamsOfView();
  const open = params.kind === prefix;
  return (
    <div>
      <button
        type="button"
        className={styles.kind}
        aria-expanded={open}
        onClick={() => change({ kind: open ? undefined : prefix }, true)}
      >
        <ChevronRight aria-hidden />
        <span className="truncate">{name}</span>
        <span className="soft">{shortCount(entities_count)}</span>
      </button>
      {open && <Sources prefix={prefix} />}
    </div>
  );
}

function Sources({ prefix }: { prefix: string }) {
  const [params] = useParamsOfView();
  const result = useQuery(read("/api/directory/datasources", { query: { prefix } }));
  return (
    <Shown of={result} what={t("directory.sources2")}>
      {({ items }) => (
        <ul>
          {items.map(({ id, name, properties, entities_count }) => (
            <li key={id}>
              <Link
                to="/directory"
                search={{ kind: prefix, source: String(id) } as never}
                className={classes(styles.source, params.source === String(id) && styles.chosen)}
                aria-current={params.source === String(id) ? "true" : undefined}
                title={Object.entries(properties).map(([key, value]) => `${key}: ${value}`).join(
                  "\n",
                )}
              >
                <span className="truncate">{name}</span>
                <span className="soft">{shortCount(entities_count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Shown>
  );
}

type Row = Schema<"DataEntity">;
const size = 50;

const columns = (): VirtualColumn<Row>[] => [
  { name: t("kit.name"), width: "minmax(12rem, 3fr)", cell: (row) => <EntityLink of={row} /> },
  { name: t("kit.type"), width: "minmax(6rem, 1fr)", cell: ({ type }) => words(type.name) },
  {
    name: t("kit.owners"),
    width: "minmax(6rem, 1fr)",
    cell: ({ ownership }) => listText((ownership ?? []).map(({ owner }) => owner.name)),
  },
  { name: t("kit.status"), width: "8rem", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    name: t("directory.updated"),
    width: "8rem",
    cell: (row) => <Time at={row.last_ingested_at} />,
  },
];

/** What one source holds, of all types or of one. */
function SourceEntities({ id }: { id: number }) {
  const [{ type }] = useParamsOfView();
  const result = useEntities(id, type ? Number(type) : undefined);
  const rows = (result.data?.pages ?? []).flatMap(({ entities }) => entities.items);
  return (
    <Shown of={result} what={t("directory.source")} bones={10}>
      {({ pages: [first] }) => (
        <Card
          title={first!.data_source.name}
          flush
          actions={
            <>
              <span className="soft">{count(first!.entities.page_info.total)}</span>
              <a
                className={buttonClass({ small: true })}
                href={`api/openlineage/export?data_source_id=${id}`}
                download
              >
                <Download aria-hidden /> {t("directory.openlineage")}
              </a>
            </>
          }
        >
          <Types source={id} />
          {rows.length === 0
            ? (
              <Empty title={t("directory.nothingHere")}>
                {t("directory.nothingIngestedFromThisSource")}
              </Empty>
            )
            : (
              <VirtualTable
                label={t("directory.entitiesOf", { name: first!.data_source.name })}
                columns={columns()}
                rows={rows}
                keyOf={(row) => row.id}
                height="calc(100dvh - 16rem)"
                rowHeight={40}
                onEnd={() =>
                  result.hasNextPage && !result.isFetchingNextPage && void result.fetchNextPage()}
              />
            )}
        </Card>
      )}
    </Shown>
  );
}

function useEntities(source: number, type: number | undefined) {
  return useInfiniteQuery({
    queryKey: ["/api/directory/datasources/{data_source_id}", source, type ?? null],
    queryFn: async ({ pageParam, signal }) => {
      const path = { data_source_id: source };
      const query = { page: pageParam, size, type_id: type };
      return (await ask("get", "/api/directory/datasources/{data_source_id}", {
        path,
        query,
        signal,
      })).data;
    },
    initialPageParam: 1,
    getNextPageParam: ({ entities }, _, page) => entities.page_info.hasNext ? page + 1 : undefined,
    placeholderData: keepPreviousData,
  });
}

/** The types of what a source holds, of which one may be chosen. */
function Types({ source }: { source: number }) {
  const [{ type }, change] = useParamsOfView();
  const { data = [] } = useQuery(
    read("/api/directory/datasources/{data_source_id}/types", { path: { data_source_id: source } }),
  );
  const all = [
    [undefined, t("directory.all")] as const,
    ...data.map(({ id, name }) => [String(id), words(name)] as const),
  ];
  return (
    <div className={styles.types} role="group" aria-label={t("kit.type")}>
      <Choice of={all} value={type || undefined} onValue={(id) => change({ type: id })} />
    </div>
  );
}
