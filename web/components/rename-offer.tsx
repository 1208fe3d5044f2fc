import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Fragment } from "react";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { Failure, Note } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

const decisions = [
  ["/api/dataentities/{data_entity_id}/renames/{rename_id}/carry-over", "components.carryOver"],
  ["/api/dataentities/{data_entity_id}/renames/{rename_id}/dismiss", "components.notARename"],
] as const;

/** An asset that is probably another one under a new name; nothing moves until somebody says so. */
export function RenameOffer({ of }: { of: Schema<"RenameOffer"> }) {
  const queries = useQueryClient();
  const can = useCan("DATA_ENTITY", of.successor.id)("DATA_ENTITY_CARRY_OVER");
  const decide = useMutation({
    mutationFn: (path: (typeof decisions)[number][0]) =>
      send("post", path, { path: { data_entity_id: of.successor.id, rename_id: of.id } }),
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
          {t("components.renameAdvice")}
          {decisions.map(([path, text]) => (
            <Fragment key={path}>
              {" "}
              <Button
                small
                busy={decide.isPending && decide.variables === path}
                onClick={() => decide.mutate(path)}
              >
                {t(text)}
              </Button>
            </Fragment>
          ))}
        </>
      )}
    </Note>
  );
}
