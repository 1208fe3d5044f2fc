import { CircleAlert, Info, Lock, SearchX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ApiError } from "#web/api/errors.ts";
import { Button } from "#web/kit/button.tsx";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/states.module.css";
import { t } from "#web/messages/text.ts";

/** Nothing to show: says why, and what to do about it. */
export function Empty(
  { title, children, icon, action }: {
    title: string;
    children?: ReactNode;
    icon?: ReactNode;
    action?: ReactNode;
  },
) {
  return (
    <div className={styles.state}>
      {icon ?? <SearchX aria-hidden />}
      <strong>{title}</strong>
      {children && <div>{children}</div>}
      {action && <div className={styles.actions}>{action}</div>}
    </div>
  );
}

/** Something could not be read: what, why, and a way to try again. */
export function Failure(
  { error, onRetry, what }: { error: unknown; onRetry?: () => void; what?: string },
) {
  const known = error instanceof ApiError ? error : undefined;
  if (known?.status === 404) {
    return (
      <Empty title={what ? t("kit.noSuch", { what }) : t("kit.notFound")}>{known.message}</Empty>
    );
  }
  if (known?.status === 403) {
    return (
      <Empty title={t("kit.youDoNotHaveAccess")} icon={<Lock aria-hidden />}>
        {t("kit.askForAccess", { message: known.message })}
      </Empty>
    );
  }
  return (
    <div className={styles.state} role="alert">
      <CircleAlert aria-hidden />
      <strong>{what ? t("kit.couldNotLoadThe", { what }) : t("kit.couldNotLoad")}</strong>
      <div>
        {known?.message ?? t("kit.theInterfaceFailedTheConsole")}
      </div>
      {onRetry && (
        <div className={styles.actions}>
          <Button onClick={onRetry}>{t("kit.tryAgain")}</Button>
        </div>
      )}
    </div>
  );
}

/** A remark within a page. */
export function Note(
  { tone = "info", children }: { tone?: "info" | "warn" | "bad" | "good"; children: ReactNode },
) {
  const Icon = tone === "info" || tone === "good" ? Info : TriangleAlert;
  return (
    <div
      className={classes(styles.note, tone !== "info" && styles[tone])}
      role={tone === "bad" ? "alert" : undefined}
    >
      <Icon aria-hidden />
      <div>{children}</div>
    </div>
  );
}

/** Stands where lines of text will be, of the same height, while they are read. */
export function Bones({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.bones} aria-hidden>
      {Array.from(
        { length: lines },
        (_, at) => (
          <div key={at} className={styles.bone} style={{ width: `${92 - ((at * 23) % 50)}%` }} />
        ),
      )}
    </div>
  );
}

interface QueryResult<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** The answer of a query, or what stands for it: bones while it is read, the failure if it was not. */
export function Shown<T>(
  { of, what, bones, children }: {
    of: QueryResult<T>;
    what?: string;
    bones?: number;
    children: (data: T) => ReactNode;
  },
) {
  return of.data === undefined ? <Pending {...{ of, what, bones }} /> : <>{children(of.data)}</>;
}

/** What stands for the answer of a query that is not there. */
export function Pending(
  { of, what, bones }: { of: QueryResult<unknown>; what?: string; bones?: number },
) {
  if (of.error) return <Failure error={of.error} what={what} onRetry={() => void of.refetch()} />;
  return <Bones lines={bones} />;
}
