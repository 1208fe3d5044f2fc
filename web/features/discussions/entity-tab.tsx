import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { CircleAlert, Clock, ExternalLink, MessageSquare, MessagesSquare, X } from "lucide-react";
import { ask, read, type Schema } from "#web/api/client.ts";
import { Button, Choice, IconButton } from "#web/kit/button.tsx";
import { Card, Columns } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { Badge } from "#web/kit/badge.tsx";
import { Time } from "#web/kit/time.tsx";
import { NewMessage } from "#web/components/new-message.tsx";
import styles from "#web/features/discussions/discussions.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

const route = getRouteApi("/dataentities/$id");

/** What people write about an entity, here and in their chat. */
export function DiscussionsTab() {
  const id = Number(route.useParams().id);
  const [{ channel, thread, text }, change] = useParamsOfView();
  // A link may lead here to write something.
  const [writing, setWriting] = useState(text !== undefined);
  const features = useQuery(read("/api/features/active"));
  const channels = useQuery(
    read("/api/dataentities/{data_entity_id}/channels", { path: { data_entity_id: id } }),
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
      <Choice
        of={[
          [undefined, t("discussions.allChannels")],
          ...channels.map(({ channel_id, name }) => [channel_id, `#${name}`] as const),
        ]}
        value={chosen || undefined}
        onValue={onChoose}
      />
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
      return (await ask("get", path, { path: { data_entity_id: entity }, query, signal })).data
        .items;
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
            <MorePages of={result} shown={messages.length} />
          </div>
        );
      }}
    </Shown>
  );
}

const threadPath = "/api/dataentities/{data_entity_id}/messages/{message_id}";

/** The replies to a message, oldest first. */
function Thread(
  { entity, message, onClose }: { entity: number; message: string; onClose: () => void },
) {
  const result = useInfiniteQuery({
    queryKey: [threadPath, entity, message],
    queryFn: async ({ pageParam, signal }) => {
      return (await ask("get", threadPath, {
        path: { data_entity_id: entity, message_id: message },
        query: { size, last_message_id: pageParam },
        signal,
      })).data.items;
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
            <MorePages of={result} shown={pages.flat().length} />
          </div>
        )}
      </Shown>
    </Card>
  );
}

/** One message; `onThread` where its replies can be opened. */
function Message(
  { of, onThread }: { of: Schema<"Message">; onThread?: (id: string) => void },
) {
  const {
    id,
    text,
    username,
    created_at,
    channel,
    state,
    children_messages_count: replies,
    url,
    error,
  } = of;
  return (
    <article className={styles.message}>
      <header>
        <strong className="foreign">{username ?? t("discussions.anonymous")}</strong>
        <span className="soft">
          <Rich
            of="discussions.in"
            values={{ name: channel.name, time: <Time at={created_at} /> }}
          />
        </span>
        {state === "PENDING_SEND" && (
          <Badge tone="info" icon={<Clock aria-hidden />}>
            {t("discussions.pending")}
          </Badge>
        )}
        {state === "ERROR_SENDING" && (
          <Badge tone="bad" icon={<CircleAlert aria-hidden />}>{t("discussions.notSent")}</Badge>
        )}
        {state === "DELETED" && <Badge>{t("discussions.deletedInTheChat")}</Badge>}
      </header>
      <p className={`${styles.text} foreign`}>{text}</p>
      {error && <p className={styles.error}>{error}</p>}
      <footer>
        {onThread && (replies ?? 0) > 0 && (
          <Button
            small
            variant="quiet"
            onClick={() => onThread(id)}
          >
            <MessagesSquare aria-hidden /> {t("discussions.replys", { replies: replies! })}
          </Button>
        )}
        {url && (
          <a href={`api/messages/${id}/url`} target="_blank" rel="noopener noreferrer">
            <ExternalLink aria-hidden /> {t("discussions.openInTheChat")}
          </a>
        )}
      </footer>
    </article>
  );
}
