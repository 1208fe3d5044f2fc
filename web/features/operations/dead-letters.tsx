import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { ask, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { SearchField, useDebounced } from "#web/kit/field.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { actionsColumn, type Column, Table, timeColumn } from "#web/kit/table.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { bytes } from "#web/kit/numbers.ts";
import { Confirm } from "#web/kit/dialog.tsx";
import { toast } from "#web/kit/toast.ts";
import { MorePages } from "#web/components/paged-table.tsx";
import { useCan } from "#web/components/permissions.ts";
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
                <MorePages of={query} shown={deadLetters.length} />
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
      return (await ask("get", "/api/ops/dead-letters", { query, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: { items: DeadLetter[]; next?: string | null }) =>
      next ?? undefined,
  });
}

type DeadLetter = Schema<"OpsDeadLetter">;

function DeadLetterTable(
  { deadLetters, ticked, onTicked }: {
    deadLetters: DeadLetter[];
    ticked: ReadonlySet<string>;
    /** Given where the caller may deal with them. */
    onTicked?: (ids: ReadonlySet<string>) => void;
  },
) {
  const tick = actionsColumn(({ id }: DeadLetter) => (
    <input
      type="checkbox"
      aria-label={t("operations.selectDeadLetter", { id })}
      checked={ticked.has(id)}
      onChange={() => onTicked?.(ticked.symmetricDifference(new Set([id])))}
    />
  ), t("operations.select"));
  return (
    <Table
      label={t("operations.deadLetters")}
      columns={onTicked ? [tick, ...columns()] : columns()}
      rows={deadLetters}
      keyOf={({ id }) => id}
    />
  );
}

const columns = (): Column<DeadLetter>[] => [
  timeColumn(t("operations.failed"), ({ failed_at }) => failed_at),
  {
    name: t("operations.reason"),
    cell: ({ reason, message }) => (
      <div className={styles.two}>
        <strong className="foreign">{reason}</strong>
        <span className="foreign">{message}</span>
      </div>
    ),
  },
  {
    name: t("operations.cameFrom"),
    cell: ({ topic, partition, offset, key }) => (
      <div className={styles.two}>
        <span className="foreign">{topic} {partition ?? "?"}-{offset ?? "?"}</span>
        {key && <span className="foreign soft">{key}</span>}
      </div>
    ),
  },
  {
    name: t("operations.record"),
    cell: ({ beginning, bytes: size, cut }) => (
      <details>
        <summary>
          {bytes(size)} {cut && <Badge tone="warn">{t("operations.cutCannotBeReplayed")}</Badge>}
        </summary>
        <pre className={styles.beginning}>{beginning ?? t("operations.binaryContent")}</pre>
      </details>
    ),
  },
];

/** What is to become of which dead letters. */
interface Deal {
  what: "replay" | "drop";
  of: Pick<Schema<"OpsDeadLetterSelection">, "all" | "reason" | "ids">;
}

/** Asks, and then goes on until nothing is left of the selection: the service takes a thousand at once. */
function DealWith(
  { deal, onClose, onDone }: { deal: Deal | undefined; onClose: () => void; onDone: () => void },
) {
  const queries = useQueryClient();
  const run = async ({ what, of }: Deal) => {
    try {
      if (what === "replay") await replay(of);
      else await drop(of);
      onDone();
    } finally {
      await refresh(queries, "/api/ops/");
    }
  };
  const drops = deal?.what === "drop";
  return (
    <Confirm
      open={deal !== undefined}
      onClose={onClose}
      title={drops ? dropQuestion(deal.of) : replayQuestion(deal?.of)}
      action={drops ? t("operations.drop") : t("operations.replay")}
      onConfirm={() => run(deal!)}
    >
      {drops ? t("operations.theyAreMarkedAsDropped") : t("operations.theyReturnToTheirTopic")}
    </Confirm>
  );
}

function replayQuestion(of: Deal["of"] | undefined): string {
  if (of?.ids) return t("operations.replayTheseQuestion", { count: of.ids.length });
  if (of?.reason) return t("operations.replayReasonQuestion", { reason: of.reason });
  return t("operations.replayAllQuestion");
}

function dropQuestion({ ids, reason }: Deal["of"]): string {
  if (ids) return t("operations.dropTheseQuestion", { count: ids.length });
  return reason ? t("operations.dropReasonQuestion", { reason }) : t("operations.dropAllQuestion");
}

async function replay(of: Deal["of"]): Promise<void> {
  let [replayed, skipped] = [0, 0];
  let after: string | undefined;
  do {
    const answer = await send("post", "/api/ops/dead-letters/replay", { body: { ...of, after } });
    replayed += answer.replayed;
    skipped += answer.skipped.length;
    after = answer.next ?? undefined;
  } while (after);
  toast(t("operations.replayed", { count: replayed }), {
    about: skipped > 0 ? t("operations.notReplayed", { count: skipped }) : undefined,
  });
}

async function drop(of: Deal["of"]): Promise<void> {
  let dropped = 0;
  let after: string | undefined;
  do {
    const answer = await send("post", "/api/ops/dead-letters/drop", { body: { ...of, after } });
    dropped += answer.dropped;
    after = answer.next ?? undefined;
  } while (after);
  toast(t("operations.dropped", { count: dropped }));
}
