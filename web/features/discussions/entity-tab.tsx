import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Columns } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { NewMessage } from "#web/components/new-message.tsx";
import { Messages } from "#web/features/discussions/messages.tsx";
import { Thread } from "#web/features/discussions/thread.tsx";

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
      <Empty title="Discussions are disabled">
        Connect a chat (datacollaboration.enabled) to discuss this asset here.
      </Empty>
    );
  }
  return (
    <Columns
      main={
        <>
          <div role="group" aria-label="Channel">
            <Button variant="primary" onClick={() => setWriting(true)}>Write a message</Button>{" "}
            <Button
              small
              variant="quiet"
              aria-pressed={!channel}
              onClick={() => change({ channel: undefined })}
            >
              All channels
            </Button>
            {(channels.data?.items ?? []).map((one) => (
              <Button
                key={one.channel_id}
                small
                variant="quiet"
                aria-pressed={channel === one.channel_id}
                onClick={() => change({ channel: one.channel_id })}
              >
                #{one.name}
              </Button>
            ))}
          </div>
          <Messages
            entity={id}
            channel={channel}
            onThread={(message) => change({ thread: message }, true)}
          />
          {writing && (
            <NewMessage
              entity={id}
              text={text}
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
