import { CircleAlert, Clock, ExternalLink, MessagesSquare } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Button } from "#web/kit/button.tsx";
import { Time } from "#web/kit/time.tsx";
import styles from "#web/features/discussions/discussions.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** One message; `onThread` where its replies can be opened. */
export function Message(
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
