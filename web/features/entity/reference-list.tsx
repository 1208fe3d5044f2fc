import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { count } from "#web/kit/numbers.ts";
import { Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { EntityLink } from "#web/components/entity-link.tsx";
import { StatusBadge } from "#web/components/status.tsx";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

type Ref = Schema<"DataEntityRef">;
type ListName = "source_list" | "target_list" | "input_list" | "output_list" | "datasets_list";

/** References that are shown before `All`. */
const shownInitially = 8;

/** The first entities of a list, and all of them on demand. */
export function ReferenceList(
  { id, list, name, first, total }: {
    id: number;
    list: ListName;
    name: string;
    first: Ref[];
    total: number;
  },
) {
  const [all, setAll] = useState(false);
  const hidden = Math.max(total, first.length) > shownInitially;
  if (first.length === 0) return <span className="soft">{t("entity.none")}</span>;
  return (
    <>
      <References of={first.slice(0, shownInitially)} />
      {hidden && (
        <Button small onClick={() => setAll(true)}>
          {t("entity.all", { count: count(total) })}
        </Button>
      )}
      {all && <All id={id} list={list} name={name} onClose={() => setAll(false)} />}
    </>
  );
}

function References({ of }: { of: Ref[] }) {
  return (
    <ul className={styles.list}>
      {of.map((one) => (
        <li key={one.id}>
          <span className={styles.grow}>
            <EntityLink of={one} />
          </span>
          {one.status.status !== "UNASSIGNED" && <StatusBadge status={one.status} />}
        </li>
      ))}
    </ul>
  );
}

function All(
  { id, list, name, onClose }: { id: number; list: ListName; name: string; onClose: () => void },
) {
  const pages = useInfiniteQuery(
    readPages("/api/dataentities/{data_entity_id}/references/{list}", {
      params: { path: { data_entity_id: id, list } },
    }, 100),
  );
  return (
    <Dialog open onClose={onClose} title={name} wide>
      <Shown of={pages} what={t("entity.list")} bones={8}>
        {(data) => {
          const rows = rowsOf<Ref>(data);
          return (
            <>
              <References of={rows} />
              <More
                shown={rows.length}
                total={totalOf(data)}
                hasNext={pages.hasNextPage}
                busy={pages.isFetchingNextPage}
                onMore={() => void pages.fetchNextPage()}
              />
            </>
          );
        }}
      </Shown>
    </Dialog>
  );
}
