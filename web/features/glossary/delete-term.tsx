import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { Confirm } from "#web/kit/confirm.tsx";
import { listText } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import { t } from "#web/messages/text.ts";

/** Asks before a term is deleted, naming what loses it; a refusal names the texts that mention it. */
export function DeleteTerm(
  { term, open, onClose }: { term: Schema<"TermDetails">; open: boolean; onClose: () => void },
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const uses = usesOf(term);
  const remove = async () => {
    await send("delete", "/api/terms/{term_id}", { params: { path: { term_id: term.id } } });
    await navigate({ to: "/terms" });
    toast(t("glossary.isDeleted", { name: term.name }));
    queries.removeQueries({ queryKey: ["/api/terms/{term_id}"] });
    await refresh(queries, "/api/terms", "/api/dataentities", "/api/datasets");
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t("glossary.deleteQuestion", { name: term.name })}
      action={t("glossary.deleteTheTerm")}
      onConfirm={remove}
    >
      {uses.length > 0
        ? <p>{t("glossary.isRemovedFrom", { uses: listText(uses) })}</p>
        : <p>{t("glossary.noAssetsAreLinkedThis")}</p>}
      <p className="soft">{t("glossary.itCannotBeDeletedWhile")}</p>
    </Confirm>
  );
}

function usesOf(term: Schema<"TermDetails">): string[] {
  const counted = [
    [term.entities_using_count, "glossary.entityCount"],
    [term.columns_using_count, "glossary.columnCount"],
    [term.linked_terms_using_count, "glossary.linkedTermCount"],
    [term.query_example_using_count, "glossary.queryExampleCount"],
  ] as const;
  return counted.flatMap(([count, key]) => (count ? [t(key, { count })] : []));
}
