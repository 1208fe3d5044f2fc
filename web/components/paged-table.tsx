import type { ReactNode } from "react";
import { type ReadPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Bones, Failure } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";

/** What `useInfiniteQuery` returns for a list that is read page by page. */
export interface InfiniteQuery<Row = unknown> {
  data: ReadPages<Row> | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** A list that is read page by page: as a table, or what stands for it. */
export function PagedTable<Row extends { id: string | number }>(
  { of, label, columns, empty }: {
    of: InfiniteQuery<Row>;
    /** What it lists, as in `Namespaces`. */
    label: string;
    columns: Column<Row>[];
    /** Shown where there is nothing. */
    empty: ReactNode;
  },
) {
  if (of.data === undefined) {
    if (!of.error) return <Bones lines={8} />;
    return <Failure error={of.error} onRetry={() => void of.refetch()} />;
  }
  const rows = rowsOf<Row>(of.data);
  if (rows.length === 0) return empty;
  return (
    <>
      <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <More
        shown={rows.length}
        total={totalOf(of.data)}
        hasNext={of.hasNextPage}
        busy={of.isFetchingNextPage}
        onMore={() => void of.fetchNextPage()}
      />
    </>
  );
}
