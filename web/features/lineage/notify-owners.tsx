import { useQuery } from "@tanstack/react-query";
import { Megaphone } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { counted, listText } from "#web/kit/numbers.ts";
import { shown } from "#web/graph/text.ts";
import { NewMessage } from "#web/components/new-message.tsx";
import { t } from "#web/messages/text.ts";

interface Props {
  id: number;
  name: string;
  impact: Schema<"Impact">;
}

/** Writes to the owners of what is downstream, in a channel of the chat; only where there is a chat. Nothing is sent before somebody says so. */
export function NotifyOwners(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const features = useQuery(read("/api/features/active")).data;
  if (!features?.items.includes("DATA_COLLABORATION")) return null;
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        <Megaphone aria-hidden />
        {t("lineage.notifyOwners")}
      </Button>
      {isOpen && (
        <NewMessage
          entity={props.id}
          title={t("lineage.notifyOwners")}
          first={messageOf(props)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const maxNamed = 20;

/** What the message begins with: what is affected, and whose that is. */
function messageOf({ name, impact: { total, types, owners, open_alerts } }: Props): string {
  const kinds = types.map(({ type, total }) => counted(total, type?.name ?? "DATA_ENTITY"));
  const named = owners.slice(0, maxNamed).map(({ name, total }) => `${shown(name)} (${total})`);
  const more = owners.length - named.length;
  return [
    t("lineage.changeIsPlanned", { name: shown(name), total, kinds: listText(kinds) }),
    more > 0
      ? t("lineage.ownersAndMore", { owners: listText(named), more })
      : t("lineage.ownersAre", { owners: listText(named) }),
    ...(open_alerts > 0 ? [t("lineage.openAlertsAmong", { count: open_alerts })] : []),
  ].join("\n");
}
