import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { TextArea, useTyped } from "#web/kit/field.tsx";
import { useForm } from "#web/kit/form.tsx";
import { Note } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.ts";
import styles from "#web/components/new-message.module.css";
import { t } from "#web/messages/text.ts";

type Channel = Schema<"MessageChannel">;

/** Writes to a channel of the chat about an entity. What was typed stays when it is refused. */
export function NewMessage(
  { entity, title = t("components.writeAMessage"), first = "", onClose }: {
    entity: number;
    title?: string;
    /** The text to begin with. */
    first?: string;
    onClose: () => void;
  },
) {
  const [channel, setChannel] = useState<Channel | null>(null);
  const [text, setText] = useState(first);
  const form = useSending(onClose);
  const ready = channel !== null && text.trim() !== "";
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      about={t("components.itGoesToTheChat")}
      actions={
        <>
          <Button onClick={onClose}>{t("kit.cancel")}</Button>
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
            {t("components.send")}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <ChannelPicker value={channel} onValue={setChannel} error={form.errorOf("channel_id")} />
        <TextArea
          label={t("components.message")}
          rows={first === "" ? undefined : 8}
          {...form.field("text", text, setText)}
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
      toast(t("components.messageSent"));
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
  const [query, onText] = useTyped();
  const channels = useQuery(
    read("/api/datacollaboration/providers/chat/channels", {
      query: { channel_name: query || undefined },
    }),
  );
  return (
    <Combobox
      label={t("kit.channel")}
      items={channels.data?.items ?? []}
      textOf={(one) => `#${one.name}`}
      keyOf={(one) => one.channel_id}
      value={value}
      onValue={onValue}
      onText={onText}
      empty={channels.error ? t("components.theChatServiceDoesNot") : t("components.noSuchChannel")}
      error={error}
      autoFocus
    />
  );
}
