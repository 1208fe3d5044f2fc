import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { readPages } from "#web/api/pages.ts";
import { plainText } from "#web/kit/plain-markdown.ts";
import { words } from "#web/kit/numbers.ts";
import type { Column } from "#web/kit/table.tsx";
import { useTextParam } from "#web/kit/text-param.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { LinkedList } from "#web/features/glossary/linked-list.tsx";
import { t } from "#web/messages/text.ts";

type Field = Schema<"TermSearchDataSetField">;

/** The columns that have a term, or whose description mentions it. */
export function LinkedColumns({ term }: { term: Schema<"TermDetails"> }) {
  const [text, setText] = useTextParam("q");
  const query = useDebounced(text.trim());
  const listed = useInfiniteQuery(readPages("/api/terms/{term_id}/linked_columns", {
    params: { path: { term_id: term.id }, query: { query } },
  }));
  return (
    <LinkedList<Field>
      of={listed}
      label={t("kit.columns")}
      find={t("glossary.findInColumns")}
      text={text}
      onText={setText}
      columns={columns()}
      none={t("glossary.noColumnHasThisTerm")}
      how={t("glossary.addItToAColumn")}
    />
  );
}

const columns = (): Column<Field>[] => [
  { name: t("glossary.column"), cell: (field) => <FieldLink of={field} /> },
  {
    name: t("glossary.of"),
    cell: ({ dataEntityId, dataEntityName }) =>
      dataEntityId
        ? (
          <Link to="/dataentities/$id/overview" params={{ id: String(dataEntityId) }}>
            {dataEntityName}
          </Link>
        )
        : dataEntityName,
  },
  { name: t("kit.type"), cell: ({ type }) => type.logical_type || words(type.type.slice(5)) },
  { name: t("glossary.source"), cell: ({ data_source }) => data_source?.name ?? "–" },
  {
    name: t("kit.description"),
    cell: ({ internal_description, external_description }) => (
      <span className="truncate">
        {plainText(internal_description || external_description || "")}
      </span>
    ),
  },
];

function FieldLink({ of }: { of: Field }) {
  const name = of.internal_name || of.name;
  if (!of.dataEntityId) return <span className="foreign">{name}</span>;
  return (
    <Link
      to="/dataentities/$id/structure"
      params={{ id: String(of.dataEntityId) }}
      search={{ field: String(of.id) } as never}
      className="foreign"
    >
      {name}
    </Link>
  );
}
