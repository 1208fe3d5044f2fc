import { useInfiniteQuery } from "@tanstack/react-query";
import { readPages, totalOf } from "#web/api/pages.ts";
import type { Schema } from "#web/api/client.ts";
import { Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { exactTime } from "#web/kit/time.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

/** Everything that was said of an alert, newest first. */
export function Messages({ alert }: { alert: number }) {
  const query = useInfiniteQuery(
    readPages("/api/alerts/{alert_id}/chunks", { params: { path: { alert_id: alert } } }, 20),
  );
  return (
    <Shown of={query} what={t("alerts.messages")} bones={4}>
      {({ pages }) => {
        const messages = pages.flatMap(({ items }: Schema<"AlertChunkPage">) => items);
        return (
          <>
            <ol className={styles.messages}>
              {messages.map(({ created_at, description }, at) => (
                <li key={at}>
                  <time dateTime={created_at} className="soft">{exactTime(created_at)}</time>
                  <div className={`foreign ${styles.text}`}>
                    {description || t("alerts.noMessage")}
                  </div>
                </li>
              ))}
            </ol>
            <More
              shown={messages.length}
              total={totalOf(query.data)}
              hasNext={query.hasNextPage}
              busy={query.isFetchingNextPage}
              onMore={() => void query.fetchNextPage()}
            />
          </>
        );
      }}
    </Shown>
  );
}
