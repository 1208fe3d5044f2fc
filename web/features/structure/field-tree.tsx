import { BookOpenText, KeyRound, Tag } from "lucide-react";
import { Empty } from "#web/kit/states.tsx";
import { type TreeColumn, TreeGrid } from "#web/kit/tree-grid.tsx";
import { count, listText } from "#web/kit/numbers.ts";
import { typeName } from "#web/features/structure/changes.ts";
import type { Field, TreeRow } from "#web/features/structure/tree.ts";
import { Rich } from "#web/messages/rich.tsx";
import styles from "#web/features/structure/structure.module.css";
import { t } from "#web/messages/text.ts";

const columns = (): TreeColumn<TreeRow<Field>>[] => [
  {
    name: t("structure.field"),
    width: "minmax(13rem, 2.2fr)",
    cell: ({ node }) => <Name of={node.value} />,
  },
  {
    name: t("kit.type"),
    width: "minmax(9rem, 1.6fr)",
    cell: ({ node }) => <Type of={node.value} />,
  },
  {
    name: t("kit.description"),
    width: "minmax(8rem, 2.4fr)",
    cell: ({ node: { value: field } }) => {
      const text = field.internal_description || field.external_description || "";
      return <div className="truncate soft" title={text.slice(0, 500)}>{text.slice(0, 200)}</div>;
    },
  },
  { name: t("structure.attributes"), width: "6rem", cell: ({ node }) => <Marks of={node.value} /> },
];

/** The tree of fields; the chosen one stands in the address. */
export function FieldTree(
  { rows, text, chosen, onChoose, onFold }: {
    rows: TreeRow<Field>[];
    /** What is searched for. */
    text: string;
    chosen: number | undefined;
    onChoose: (id: number) => void;
    onFold: (id: number, open: boolean) => void;
  },
) {
  if (rows.length === 0) {
    return (
      <div className={styles.tree}>
        {text
          ? (
            <Empty title={t("structure.noFieldHasThisName")}>
              {t("structure.noResultsFor", { query: text.slice(0, 80) })}
            </Empty>
          )
          : (
            <Empty title={t("structure.noFields")}>{t("structure.theSourceReportedASchema")}</Empty>
          )}
      </div>
    );
  }
  return (
    <div className={styles.tree}>
      <TreeGrid
        label={t("structure.fields", { count: rows.length })}
        columns={columns()}
        rows={rows}
        keyOf={({ node }) => node.id}
        nameOf={({ node }) => node.name}
        chosen={rows.findIndex(({ node }) => node.id === chosen)}
        onChoose={(index) => onChoose(rows[index]!.node.id)}
        onToggle={(index) => onFold(rows[index]!.node.id, !rows[index]!.open)}
        height={`min(${rows.length * 34 + 36}px, max(20rem, calc(100dvh - 17rem)))`}
      />
    </div>
  );
}

function Name({ of: { name, internal_name: internal, is_primary_key: key } }: { of: Field }) {
  return (
    <span className={styles.name}>
      <span className="truncate mono" title={name}>{name}</span>
      {internal && <span className="truncate soft" title={internal}>{internal}</span>}
      {key && <KeyRound className={styles.key} role="img" aria-label={t("structure.primaryKey")} />}
    </span>
  );
}

function Type(
  { of: { type: { type, logical_type: logical, is_nullable: nullable } } }: { of: Field },
) {
  const name = (
    <>
      {typeName(type)}
      {logical && <span className="soft mono">{` ${logical}`}</span>}
    </>
  );
  return (
    <div className="truncate" title={logical ?? undefined}>
      {nullable ? name : <Rich of="structure.notNull" values={{ type: name }} />}
    </div>
  );
}

function Marks({ of: { tags, terms } }: { of: Field }) {
  const [tagged, linked] = [tags?.length ?? 0, terms?.length ?? 0];
  return (
    <span className={styles.name}>
      {tagged > 0 && (
        <span
          className="soft"
          title={listText(tags!.map(({ name }) => name)).slice(0, 400)}
        >
          <Tag role="img" aria-label={t("kit.tags")} /> {count(tagged)}
        </span>
      )}
      {linked > 0 && (
        <span
          className="soft"
          title={listText(terms!.map(({ term }) => term.name)).slice(0, 400)}
        >
          <BookOpenText role="img" aria-label={t("kit.terms")} /> {count(linked)}
        </span>
      )}
    </span>
  );
}
