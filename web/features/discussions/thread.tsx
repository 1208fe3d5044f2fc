import { useInfiniteQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { ask } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Message } from "#web/features/discussions/message.tsx";
import styles from "#web/features/discussions/discussions.module.css";
import { t } from "#web/messages/text.ts";

const path = "/api/dataentities/{data_entity_id}/messages/{message_id}";
const size = 30;

/** The replies to a message, oldest first. */
export function Thread(
  { entity, message, onClose }: { entity: number; message: string; onClose: () => void },
) {
  const result = useInfiniteQuery({
    queryKey: [path, entity, message],
    queryFn: async ({ pageParam, signal }) => {
      const params = {
        path: { data_entity_id: entity, message_id: message },
        query: { size, last_message_id: pageParam },
      };
      return (await ask("get", path, { params, signal })).data.items;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.length === size ? last.at(-1)!.id : undefined,
  });
  return (
    <Card
      title={t("discussions.replies")}
      actions={
        <IconButton small label={t("discussions.closeTheReplies")} onClick={onClose}>
          <X />
        </IconButton>
      }
    >
      <Shown of={result} what={t("discussions.replies2")}>
        {({ pages }) => (
          <div className={styles.list}>
            {pages.flat().map((one) => <Message key={one.id} of={one} />)}
            <More
              shown={pages.flat().length}
              hasNext={result.hasNextPage}
              busy={result.isFetchingNextPage}
              onMore={() => void result.fetchNextPage()}
            />
          </div>
        )}
      </Shown>
    </Card>
  );
}
