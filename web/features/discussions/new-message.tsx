import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { TextArea } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.ts";
import { Note } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import styles from "#web/features/discussions/discussions.module.css";

type Channel = Schema<"MessageChannel">;

/** Writes to a channel of the chat. What was typed stays when it is refused. */
export function NewMessage(
  { entity, text: proposed = "", onClose }: {
    entity: number;
    /** What the message says at first. */
    text?: string;
    onClose: () => void;
  },
) {
  const [channel, setChannel] = useState<Channel | null>(null);
  const [text, setText] = useState(proposed);
  const form = useSending(onClose);
  const ready = channel !== null && text.trim() !== "";
  return (
    <Dialog
      open
      onClose={onClose}
      title="Write a message"
      about="It goes to the chat with a link to this page; replies show here."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={form.busy}
            disabled={!ready}
            onClick={() =>
              form.submit({
                data_entity_id: entity,
                channel_id: channel!.channel_id,
                text: text.trim(),
              })}
          >
            Send
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ChannelPicker value={channel} onValue={setChannel} error={form.errorOf("channel_id")} />
        <TextArea
          label="Message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={form.errorOf("text")}
        />
        {form.rest().map((problem) => <Note key={problem} tone="bad">{problem}</Note>)}
      </div>
    </Dialog>
  );
}

function useSending(onDone: () => void) {
  const queries = useQueryClient();
  return useForm(
    (body: Schema<"MessageRequest">) =>
      send("post", "/api/datacollaboration/providers/chat/messages", { body }),
    () => {
      toast("Message sent");
      void refresh(
        queries,
        "/api/dataentities/{data_entity_id}/messages",
        "/api/dataentities/{data_entity_id}/channels",
      );
      onDone();
    },
  );
}

function ChannelPicker(
  { value, onValue, error }: {
    value: Channel | null;
    onValue: (value: Channel | null) => void;
    error: string | undefined;
  },
) {
  const [name, setName] = useState("");
  const query = useDebounced(name.trim());
  const channels = useQuery(
    read("/api/datacollaboration/providers/chat/channels", {
      params: { query: { channel_name: query || undefined } },
    }),
  );
  return (
    <Combobox
      label="Channel"
      items={channels.data?.items ?? []}
      textOf={(one) => `#${one.name}`}
      keyOf={(one) => one.channel_id}
      value={value}
      onValue={onValue}
      onText={setName}
      empty={channels.error ? "The chat service does not respond" : "No such channel"}
      error={error}
      autoFocus
    />
  );
}
