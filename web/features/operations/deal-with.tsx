import { useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Confirm } from "#web/kit/confirm.tsx";
import { toast } from "#web/kit/toast.tsx";
import { t } from "#web/messages/text.ts";

/** What is to become of which dead letters. */
export interface Deal {
  what: "replay" | "drop";
  of: Pick<Schema<"OpsDeadLetterSelection">, "all" | "reason" | "ids">;
}

/** Asks, and then goes on until nothing is left of the selection: the service takes a thousand at once. */
export function DealWith(
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
