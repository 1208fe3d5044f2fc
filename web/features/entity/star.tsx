import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Star as Icon } from "lucide-react";
import { refresh, send } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import { complain } from "#web/components/undo.ts";
import styles from "#web/features/entity/entity.module.css";
import { t } from "#web/messages/text.ts";

const kind = "DATA_ENTITY";

/** Whether the entity is a favorite of the caller; pressed, it changes that at once. */
export function Star({ id }: { id: number }) {
  const queries = useQueryClient();
  const queryKey = ["/api/favorites/status", kind, id];
  const status = useQuery({
    queryKey,
    queryFn: async () => {
      const body = [{ asset_kind: kind, asset_id: id } as const];
      return (await send("post", "/api/favorites/status", { body })).length > 0;
    },
  });
  const path = { params: { path: { asset_kind: kind, asset_id: id } } } as const;
  const change = useMutation({
    mutationFn: async (on: boolean): Promise<void> => {
      await (on
        ? send("put", "/api/favorites/{asset_kind}/{asset_id}", path)
        : send("delete", "/api/favorites/{asset_kind}/{asset_id}", path));
    },
    onMutate: (on) => void queries.setQueryData(queryKey, on),
    onError: (error, on) => {
      queries.setQueryData(queryKey, !on);
      complain(t("entity.couldNotChangeTheFavorite"), error);
    },
    onSuccess: () => refresh(queries, "/api/favorites/list"),
  });
  const on = status.data ?? false;
  return (
    <IconButton
      label={t("entity.favorite")}
      variant="plain"
      aria-pressed={on}
      className={on ? styles.starred : undefined}
      disabled={status.data === undefined}
      onClick={() => change.mutate(!on)}
    >
      <Icon />
    </IconButton>
  );
}
