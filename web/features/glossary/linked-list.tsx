import type { ReactNode } from "react";
import { SearchField } from "#web/kit/field.tsx";
import { Card, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { Empty } from "#web/kit/states.tsx";
import type { Column } from "#web/kit/table.tsx";
import { type InfiniteQuery, PagedTable } from "#web/components/paged-table.tsx";
import { t } from "#web/messages/text.ts";

/** A tab that lists what a term is linked with: a filter by name, further controls, and the list. */
export function LinkedList<Row extends { id: string | number }>(
  { of, label, find, text, onText, controls, columns, none, how }: {
    of: InfiniteQuery;
    label: string;
    /** Label of the filter. */
    find: string;
    text: string;
    onText: (text: string) => void;
    controls?: ReactNode;
    columns: Column<Row>[];
    /** Said where nothing is linked, and how to change that. */
    none: string;
    how: ReactNode;
  },
) {
  return (
    <>
      <Toolbar>
        <SearchField
          label={find}
          value={text}
          onValue={onText}
          className={pageStyles.grow}
        />
        {controls}
      </Toolbar>
      <Card flush>
        <PagedTable<Row>
          of={of}
          label={label}
          columns={columns}
          empty={text
            ? (
              <Empty title={t("glossary.nothingMatches")}>
                {t("glossary.noLinkedAssetsMatch")}
              </Empty>
            )
            : <Empty title={none}>{how}</Empty>}
        />
      </Card>
    </>
  );
}
