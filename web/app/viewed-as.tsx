import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { read } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { viewAs, type ViewedUser } from "#web/components/permissions.ts";
import styles from "#web/app/viewed-as.module.css";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";
import { listText } from "#web/kit/numbers.ts";

/** Says above every screen as whom it is viewed, and ends that. */
export default function ViewedAs({ user }: { user: ViewedUser }) {
  const { username, provider } = user;
  const { data, error } = useQuery({
    ...read("/api/identity/permissions", { query: { username, provider: provider ?? undefined } }),
    placeholderData: undefined,
  });
  const roles = listText((data?.owner?.roles ?? []).map(({ name }) => name));
  const shown = <strong className="foreign">{username}</strong>;
  return (
    <aside className={styles.banner} aria-label={t("app.viewAsAUser")}>
      <Eye aria-hidden />
      <span>
        {roles
          ? <Rich of="app.viewingWithRoles" values={{ user: shown, name: username, roles }} />
          : <Rich of="app.viewing" values={{ user: shown, name: username }} />}
        {error && ` ${error.message}`}
      </span>
      <Button small onClick={() => viewAs(undefined)}>
        {t("app.stopViewing", { name: username })}
      </Button>
    </aside>
  );
}
