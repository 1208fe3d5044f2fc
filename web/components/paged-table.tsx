import type { ReactNode } from "react";
import { type ReadPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { Shown } from "#web/kit/states.tsx";
import { type Column, More, Table } from "#web/kit/table.tsx";

/** Shows whether there are more pages, and reads the next one. */
interface NextPage {
  data: { pages: unknown[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** What `useInfiniteQuery` returns for a list that is read page by page. */
export interface InfiniteQuery<Row = unknown> extends NextPage {
  data: ReadPages<Row> | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** A list that is read page by page: as a table, or what stands for it. */
export function PagedTable<Row extends { id: string | number }>(
  { of, label, columns, empty, what, bones = 8 }: {
    of: InfiniteQuery<Row>;
    /** What it lists, as in `Namespaces`. */
    label: string;
    columns: Column<Row>[];
    /** Shown where there is nothing. */
    empty: ReactNode;
    /** What could not be loaded, if it could not. */
    what?: string;
    /** Lines that stand for it while it is read. */
    bones?: number;
  },
) {
  return (
    <Shown of={of} what={what} bones={bones}>
      {(data) => {
        const rows = rowsOf<Row>(data);
        if (rows.length === 0) return empty;
        return (
          <>
            <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} />
            <MorePages of={of} shown={rows.length} />
          </>
        );
      }}
    </Shown>
  );
}

/** Below a list that is read page by page: how much of it is shown, and the next page. */
export function MorePages({ of, shown }: { of: NextPage; shown: number }) {
  return (
    <More
      shown={shown}
      total={totalOf(of.data)}
      hasNext={of.hasNextPage}
      busy={of.isFetchingNextPage}
      onMore={() => void of.fetchNextPage()}
    />
  );
}
