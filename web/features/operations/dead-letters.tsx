import { useInfiniteQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { ask } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { useCan } from "#web/components/permissions.ts";
import { type Deal, DealWith } from "#web/features/operations/deal-with.tsx";
import { type DeadLetter, DeadLetterTable } from "#web/features/operations/dead-letter-table.tsx";

import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

/** Records that were refused and wait for somebody to deal with them. */
export function DeadLetters() {
  const [params] = useParamsOfView();
  const manage = useCan()("OPERATIONS_MANAGE");
  const [deal, setDeal] = useState<Deal>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const reason = useDebounced(params.reason?.trim());
  const query = useDeadLetters(reason);
  const deadLetters = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const ids = deadLetters.map(({ id }) => id).filter((id) => ticked.has(id));
  const chosen = ids.length > 0 ? { ids } : reason ? { reason } : { all: true as const };
  return (
    <Card title={t("operations.deadLetters")} flush>
      <DeadLetterBar
        chosen={chosen}
        onDeal={manage && deadLetters.length > 0 ? setDeal : undefined}
      />
      <Shown of={query} what={t("operations.deadLetters2")} bones={5}>
        {() =>
          deadLetters.length === 0
            ? (
              <Empty title={t("operations.noDeadLetters")} icon={<MailCheck aria-hidden />}>
                {reason
                  ? t("operations.noRecordHasThisReason")
                  : t("operations.recordsThatCannotBeProcessed")}
              </Empty>
            )
            : (
              <>
                <DeadLetterTable
                  deadLetters={deadLetters}
                  ticked={ticked}
                  onTicked={manage ? setTicked : undefined}
                />
                <More
                  shown={deadLetters.length}
                  hasNext={query.hasNextPage}
                  busy={query.isFetchingNextPage}
                  onMore={() => void query.fetchNextPage()}
                />
              </>
            )}
      </Shown>
      <DealWith
        deal={deal}
        onClose={() => setDeal(undefined)}
        onDone={() => setTicked(new Set())}
      />
    </Card>
  );
}

/** Narrows to a reason; `onDeal` is given where something can be done with what is chosen. */
function DeadLetterBar({ chosen, onDeal }: { chosen: Deal["of"]; onDeal?: (deal: Deal) => void }) {
  const [params, change] = useParamsOfView();
  return (
    <div className={styles.toolbar}>
      <Toolbar>
        <SearchField
          label={t("operations.reasonExactMatch")}
          value={params.reason ?? ""}
          onValue={(reason) => change({ reason })}
        />
        {onDeal && (
          <>
            <Button onClick={() => onDeal({ what: "replay", of: chosen })}>
              {replayText(chosen)}
            </Button>
            <Button variant="danger" onClick={() => onDeal({ what: "drop", of: chosen })}>
              {dropText(chosen)}
            </Button>
          </>
        )}
      </Toolbar>
    </div>
  );
}

function replayText({ ids, reason }: Deal["of"]): string {
  if (ids) return t("operations.replaySelected", { count: ids.length });
  return reason ? t("operations.replayAllOfReason") : t("operations.replayAll");
}

function dropText({ ids, reason }: Deal["of"]): string {
  if (ids) return t("operations.dropSelected", { count: ids.length });
  return reason ? t("operations.dropAllOfReason") : t("operations.dropAll");
}

/** Pages follow each other by the id of the last one. */
function useDeadLetters(reason: string | undefined) {
  return useInfiniteQuery({
    queryKey: ["/api/ops/dead-letters", reason ?? ""],
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { size: 30, after, reason: reason || undefined };
      return (await ask("get", "/api/ops/dead-letters", { params: { query }, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { items: DeadLetter[]; next?: string | null }) =>
      next ?? undefined,
  });
}
