import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Failure, Note } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

type Params = { params: { path: { data_entity_id: number; rename_id: number } } };
const posts = {
  carry: (of: Params) =>
    send("post", "/api/dataentities/{data_entity_id}/renames/{rename_id}/carry-over", of),
  dismiss: (of: Params) =>
    send("post", "/api/dataentities/{data_entity_id}/renames/{rename_id}/dismiss", of),
};
type Decision = keyof typeof posts;

/** An asset that is probably another one under a new name; nothing moves until somebody says so. */
export function RenameOffer({ of }: { of: Schema<"RenameOffer"> }) {
  const queries = useQueryClient();
  const can = useCan("DATA_ENTITY", of.successor.id)("DATA_ENTITY_CARRY_OVER");
  const params = { path: { data_entity_id: of.successor.id, rename_id: of.id } };
  const decide = useMutation({
    mutationFn: (decision: Decision) => posts[decision]({ params }),
    onSuccess: () => refresh(queries, "/api/dataentities", "/api/connections", "/api/datasets"),
  });
  if (decide.isError) return <Failure error={decide.error} onRetry={decide.reset} />;
  return (
    <Note tone="info">
      <Rich
        of="components.renameSeen"
        values={{
          former: <EntityLink of={of.former} />,
          successor: <EntityLink of={of.successor} />,
          columns: of.columns,
        }}
      />
      {can && (
        <>
          {" "}
          {t("components.renameAdvice")}{" "}
          <Button
            small
            busy={decide.isPending && decide.variables === "carry"}
            onClick={() => decide.mutate("carry")}
          >
            {t("components.carryOver")}
          </Button>{" "}
          <Button
            small
            busy={decide.isPending && decide.variables === "dismiss"}
            onClick={() => decide.mutate("dismiss")}
          >
            {t("components.notARename")}
          </Button>
        </>
      )}
    </Note>
  );
}
