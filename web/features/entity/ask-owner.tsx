import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hand, MessageCircleQuestion } from "lucide-react";
import type { ReactNode } from "react";
import { read } from "#web/api/client.ts";
import { buttonClass } from "#web/kit/button.tsx";
import { nameOf } from "#web/components/entity-link.tsx";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { useAppInfo, useIdentity } from "#web/components/permissions.ts";
import type { CardOf } from "#web/features/entity/card-of.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

/**
 * Ways to reach the owners of an asset: the chat where one is connected, else mail. Users who cannot add owners can request to
 * become one the same way; nothing where there is nobody to write to.
 */
export function AskOwner({ of, can }: CardOf) {
  const features = useQuery({ ...read("/api/features/active"), staleTime: Infinity });
  const signsIn = useAppInfo().data?.authType !== "DISABLED";
  const own = useIdentity().data?.owner?.id;
  const owners = (of.ownership ?? []).map(({ owner }) => owner);
  const chat = features.data?.items.includes("DATA_COLLABORATION") ?? false;
  const mail = owners.map(({ associated_user }) => mailOf(associated_user)).find(Boolean);
  if (!chat && !mail) return null;
  const name = nameOf(of);
  const way = (text: string, subject: string, icon: ReactNode) => (
    <Way id={of.id} chat={chat} mail={mail} subject={subject}>
      {icon} {text}
    </Way>
  );
  const isOwn = owners.some(({ id }) => id === own);
  return (
    <div className={styles.ask}>
      {owners.length > 0 && !isOwn &&
        way(
          t("entity.askTheOwner"),
          t("entity.aQuestionAbout", { name }),
          <MessageCircleQuestion aria-hidden />,
        )}
      {signsIn && !isOwn && !can("DATA_ENTITY_OWNERSHIP_CREATE") &&
        way(
          t("entity.requestOwnership"),
          t("entity.iWouldLikeToOwn", { name }),
          <Hand aria-hidden />,
        )}
    </div>
  );
}

function Way(
  { id, chat, mail, subject, children }: {
    id: number;
    chat: boolean;
    mail: string | undefined;
    subject: string;
    children: ReactNode;
  },
) {
  const className = buttonClass({ small: true });
  if (!chat) return <a className={className} href={mailLink(mail!, subject)}>{children}</a>;
  return (
    <Link
      className={className}
      to="/dataentities/$id/discussions"
      params={{ id: String(id) }}
      search={{ text: subject } as never}
    >
      {children}
    </Link>
  );
}
