import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { read } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { viewAs, type ViewedUser } from "#web/components/view-as.ts";
import styles from "#web/app/viewed-as.module.css";
import { t } from "#web/messages/text.ts";

/** Says above every screen as whom it is viewed, and ends that. */
export default function ViewedAs({ user }: { user: ViewedUser }) {
  const { username, provider } = user;
  const { data, error } = useQuery({
    ...read("/api/identity/permissions", {
      params: { query: { username, provider: provider ?? undefined } },
    }),
    placeholderData: undefined,
  });
  const roles = (data?.owner?.roles ?? []).map(({ name }) => name).join(", ");
  return (
    <aside className={styles.banner} aria-label={t("app.viewAsAUser")}>
      <Eye aria-hidden />
      <span>
        Viewing as <strong className="foreign">{username}</strong>
        {roles && <>{" "}({roles})</>}. You see the buttons and screens that {username}{" "}
        may use; nothing can be changed.
        {error && ` ${error.message}`}
      </span>
      <Button small onClick={() => viewAs(undefined)}>Stop viewing as {username}</Button>
    </aside>
  );
}
