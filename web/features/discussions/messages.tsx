import { useInfiniteQuery } from "@tanstack/react-query";
import { MessageSquare } from "lucide-react";
import { ask } from "#web/api/client.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { Message } from "#web/features/discussions/message.tsx";
import styles from "#web/features/discussions/discussions.module.css";
import { t } from "#web/messages/text.ts";

const path = "/api/dataentities/{data_entity_id}/messages";
const size = 30;

/** Messages about an entity, newest first, of one channel or of all. */
export function Messages(
  { entity, channel, onThread }: {
    entity: number;
    channel?: string;
    onThread: (id: string) => void;
  },
) {
  const result = useInfiniteQuery({
    queryKey: [path, entity, channel ?? null],
    queryFn: async ({ pageParam, signal }) => {
      const query = { size, channel_id: channel, last_message_id: pageParam };
      return (await ask("get", path, {
        params: { path: { data_entity_id: entity }, query },
        signal,
      })).data.items;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.length === size ? last.at(-1)!.id : undefined,
  });
  return (
    <Shown of={result} what={t("discussions.messages")} bones={8}>
      {({ pages }) => {
        const messages = pages.flat();
        if (messages.length === 0) {
          return (
            <Empty title={t("discussions.noMessagesYet")} icon={<MessageSquare aria-hidden />}>
              {t("discussions.messagesArePostedToA")}
            </Empty>
          );
        }
        return (
          <div className={styles.list}>
            {messages.map((one) => <Message key={one.id} of={one} onThread={onThread} />)}
            <More
              shown={messages.length}
              hasNext={result.hasNextPage}
              busy={result.isFetchingNextPage}
              onMore={() => void result.fetchNextPage()}
            />
          </div>
        );
      }}
    </Shown>
  );
}
