import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { MessageSquare } from "lucide-react";
import { ask, read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Columns } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { NewMessage } from "#web/components/new-message.tsx";
import { Thread } from "#web/features/discussions/thread.tsx";
import { Message } from "#web/features/discussions/message.tsx";
import styles from "#web/features/discussions/discussions.module.css";
import { t } from "#web/messages/text.ts";

const route = getRouteApi("/dataentities/$id");

/** What people write about an entity, here and in their chat. */
export function DiscussionsTab() {
  const id = Number(route.useParams().id);
  const [{ channel, thread, text }, change] = useParamsOfView();
  // A link may lead here to write something.
  const [writing, setWriting] = useState(text !== undefined);
  const features = useQuery(read("/api/features/active"));
  const channels = useQuery(
    read("/api/dataentities/{data_entity_id}/channels", {
      params: { path: { data_entity_id: id } },
    }),
  );
  if (features.data && !features.data.items.includes("DATA_COLLABORATION")) {
    return (
      <Empty title={t("discussions.discussionsAreDisabled")}>
        {t("discussions.connectAChatDatacollaborationEna")}
      </Empty>
    );
  }
  return (
    <Columns
      main={
        <>
          <ChannelChoice
            channels={channels.data?.items ?? []}
            chosen={channel}
            onChoose={(one) => change({ channel: one })}
            onWrite={() => setWriting(true)}
          />
          <Messages
            entity={id}
            channel={channel}
            onThread={(message) => change({ thread: message }, true)}
          />
          {writing && (
            <NewMessage
              entity={id}
              first={text}
              onClose={() => {
                setWriting(false);
                change({ text: undefined });
              }}
            />
          )}
        </>
      }
      side={thread
        ? <Thread entity={id} message={thread} onClose={() => change({ thread: undefined })} />
        : null}
    />
  );
}

function ChannelChoice(
  { channels, chosen, onChoose, onWrite }: {
    channels: Schema<"MessageChannel">[];
    chosen: string | undefined;
    onChoose: (channel: string | undefined) => void;
    onWrite: () => void;
  },
) {
  return (
    <div role="group" aria-label={t("kit.channel")}>
      <Button variant="primary" onClick={onWrite}>{t("discussions.writeAMessage")}</Button>{" "}
      <Button small variant="quiet" aria-pressed={!chosen} onClick={() => onChoose(undefined)}>
        {t("discussions.allChannels")}
      </Button>
      {channels.map((one) => (
        <Button
          key={one.channel_id}
          small
          variant="quiet"
          aria-pressed={chosen === one.channel_id}
          onClick={() => onChoose(one.channel_id)}
        >
          #{one.name}
        </Button>
      ))}
    </div>
  );
}

const path = "/api/dataentities/{data_entity_id}/messages";
const size = 30;

/** Messages about an entity, newest first, of one channel or of all. */
function Messages(
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
