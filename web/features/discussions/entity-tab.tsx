import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Columns } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { NewMessage } from "#web/components/new-message.tsx";
import { Messages } from "#web/features/discussions/messages.tsx";
import { Thread } from "#web/features/discussions/thread.tsx";
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
