import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { SelectField } from "#web/kit/field.tsx";
import { listText, words } from "#web/kit/numbers.ts";
import { useParamsOfView } from "#web/kit/search-params.ts";
import type { Column } from "#web/kit/table.tsx";
import { useTextParam } from "#web/kit/text-param.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import { StatusBadge } from "#web/components/status.tsx";
import { LinkedList } from "#web/features/glossary/linked-list.tsx";
import { t } from "#web/messages/text.ts";

/** The entities that have a term, or whose description mentions it. */
export function LinkedEntities({ term }: { term: Schema<"TermDetails"> }) {
  const [{ class: chosen }, change] = useParamsOfView();
  const [text, setText] = useTextParam("q");
  const query = useDebounced(text.trim());
  const classes = useQuery({ ...read("/api/dataentities/classes"), staleTime: Infinity }).data;
  const entity_class_id = Number(chosen) || undefined;
  const listed = useInfiniteQuery(readPages("/api/terms/{term_id}/linked_entities", {
    params: { path: { term_id: term.id }, query: { query, entity_class_id } },
  }));
  const options = (classes?.entity_classes ?? []).map(({ id, name }) =>
    [String(id), words(name)] as const
  );
  return (
    <LinkedList<Schema<"DataEntity">>
      of={listed}
      label={t("glossary.entities")}
      find={t("glossary.findInEntities")}
      text={text}
      onText={setText}
      controls={
        <SelectField
          label={t("kit.category")}
          hideLabel
          value={chosen ?? ""}
          options={[["", t("glossary.allCategories")], ...options]}
          onChange={({ target }) => change({ class: target.value }, true)}
        />
      }
      columns={columns()}
      none={entity_class_id ? t("glossary.assetNotFoundHasThis") : t("glossary.noAssetHasThisTerm")}
      how={t("glossary.addItOnThePage")}
    />
  );
}

const columns = (): Column<Schema<"DataEntity">>[] => [
  { name: t("kit.name"), cell: (one) => <EntityLink of={one} /> },
  { name: t("kit.type"), cell: ({ type }) => words(type.name) },
  { name: t("glossary.source"), cell: ({ data_source }) => data_source?.name ?? "–" },
  {
    name: t("kit.owners"),
    cell: ({ ownership }) => listText((ownership ?? []).map(({ owner }) => owner.name)),
  },
  { name: t("kit.status"), tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
];
