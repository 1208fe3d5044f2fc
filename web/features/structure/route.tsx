import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ChevronsDownUp, ChevronsUpDown, ListTree } from "lucide-react";
import { useMemo, useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";
import { Comparison } from "#web/features/structure/comparison.tsx";
import { FieldTree } from "#web/features/structure/field-tree.tsx";
import styles from "#web/features/structure/structure.module.css";
import {
  chainOf,
  type Field,
  filtered,
  parentsOf,
  rowsOfTree,
  treeOf,
} from "#web/features/structure/tree.ts";
import { CompareChoice, VersionChoice } from "#web/features/structure/versions.tsx";
import { Button, IconButton } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { lazyComponent } from "#web/kit/lazy-component.tsx";
import { count } from "#web/kit/numbers.ts";
import { Card, Facts, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView, useTextParam } from "#web/kit/search-params.ts";
import { Bones, Empty, Note, Pending } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

/** The fields of a dataset, as they are or were, or what changed between two versions. */
export function StructureTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const [{ compare }] = useParamsOfView();
  const dataset = Number(id);
  const versions = /^(\d{1,15})-(\d{1,15})$/.exec(compare ?? "");
  return versions
    ? <Comparison dataset={dataset} older={Number(versions[1])} newer={Number(versions[2])} />
    : <StructureView key={id} dataset={dataset} />;
}

/** The structure of one version, the newest unless the address names another. */
function StructureView({ dataset }: { dataset: number }) {
  const [params] = useParamsOfView();
  const version = /^\d{1,15}$/.test(params.version ?? "") ? Number(params.version) : undefined;
  const structure = useStructure(dataset, version);
  if (structure.data) {
    return <Fields dataset={dataset} structure={structure.data} historic={version !== undefined} />;
  }
  const { error } = structure;
  if (!error) {
    return (
      <Card>
        <Bones lines={12} />
      </Card>
    );
  }
  if (error instanceof ApiError && error.status === 404 && version === undefined) {
    return (
      <Card>
        <Empty title={t("structure.noSchema")} icon={<ListTree aria-hidden />}>
          {t("structure.theSchemaAppearsWhenA")}
        </Empty>
      </Card>
    );
  }
  return <Pending of={structure} what={t("structure.structure")} />;
}

function useStructure(dataset: number, version: number | undefined) {
  const latest = useQuery({
    ...read("/api/datasets/{data_entity_id}/structure", { path: { data_entity_id: dataset } }),
    enabled: version === undefined,
  });
  const historic = useQuery({
    ...read("/api/datasets/{data_entity_id}/structure/{version_id}", {
      path: { data_entity_id: dataset, version_id: version ?? 0 },
    }),
    enabled: version !== undefined,
  });
  return version === undefined ? latest : historic;
}

const FieldDetails = lazyComponent(
  () => import("#web/features/structure/field-details.tsx").then((all) => all.FieldDetails),
  <Bones lines={8} />,
);

function Fields(
  { dataset, structure, historic }: {
    dataset: number;
    structure: Schema<"DataSetStructure">;
    historic: boolean;
  },
) {
  const [params] = useParamsOfView();
  const fields = structure.field_list;
  const { rows, chosen, nested, choose, fold, foldAll } = useFieldRows(fields);
  return (
    <div className={styles.screen}>
      <StructureBar
        dataset={dataset}
        structure={structure}
        historic={historic}
        nested={nested}
        onFoldAll={foldAll}
      />
      <div className={styles.split}>
        <FieldTree
          rows={rows}
          text={params.find ?? ""}
          chosen={chosen?.id}
          onChoose={choose}
          onFold={fold}
        />
        <aside className={styles.panel} aria-label={t("structure.theChosenField")}>
          {chosen
            ? (
              <FieldDetails
                key={chosen.id}
                dataset={dataset}
                field={chosen}
                fields={fields}
                historic={historic}
              />
            )
            : <Overall fields={fields} lost={params.field !== undefined} />}
        </aside>
      </div>
    </div>
  );
}

/** Fields up to which nested ones are open at first. */
const openUpTo = 300;

/** The rows that are seen, which one is chosen, and how to choose and fold. */
function useFieldRows(fields: Field[]) {
  const [params, change] = useParamsOfView();
  const tree = useMemo(() => treeOf(fields, partsOf), [fields]);
  const parents = useMemo(() => parentsOf(tree), [tree]);
  const chosen = fields.find(({ id }) => String(id) === params.field);
  const above = useMemo(
    () => new Set(chainOf(fields, chosen?.id).slice(1).map(({ id }) => id)),
    [fields, chosen?.id],
  );
  const [folded, setFolded] = useState(() => new Set(fields.length > openUpTo ? parents : []));
  const text = params.find ?? "";
  const rows = useMemo(
    () => rowsOfTree(filtered(tree, text), (id) => folded.has(id) && !above.has(id)),
    [tree, text, folded, above],
  );
  const choose = (id: number) => change({ field: String(id) });
  const fold = (id: number, open: boolean) => {
    const now = new Set(folded);
    if (open) now.delete(id);
    else now.add(id);
    setFolded(now);
    // What is chosen stays in view: not within what has just been closed.
    if (!open && above.has(id)) choose(id);
  };
  const foldAll = (open: boolean) => {
    setFolded(new Set(open ? [] : parents));
    if (!open && above.size > 0) choose([...above].at(-1)!);
  };
  return { rows, chosen, nested: parents.length > 0, choose, fold, foldAll };
}

const partsOf = ({ id, parent_field_id: parent, name, internal_name: also }: Field) => (
  { id, parent, name, also }
);

function StructureBar(
  { dataset, structure, historic, nested, onFoldAll }: {
    dataset: number;
    structure: Schema<"DataSetStructure">;
    historic: boolean;
    nested: boolean;
    onFoldAll: (open: boolean) => void;
  },
) {
  const [text, setText] = useTextParam("find");
  const [, change] = useParamsOfView();
  const version = structure.data_set_version;
  return (
    <>
      <Toolbar>
        <SearchField
          label={t("structure.findAField")}
          className={pageStyles.grow}
          value={text}
          onValue={setText}
        />
        <span className="soft">
          {t("structure.fields", { count: structure.field_list.length })}
        </span>
        {nested && (
          <span>
            <IconButton label={t("structure.expandAll")} onClick={() => onFoldAll(true)}>
              <ChevronsUpDown />
            </IconButton>
            <IconButton label={t("structure.collapseAll")} onClick={() => onFoldAll(false)}>
              <ChevronsDownUp />
            </IconButton>
          </span>
        )}
        <VersionChoice dataset={dataset} version={version} historic={historic} />
        {version.version > 1 && <CompareChoice dataset={dataset} version={version} />}
      </Toolbar>
      {historic && (
        <Note>
          <Rich
            of="structure.thisIsVersion"
            values={{ version: version.version, time: <Time at={version.created_at} /> }}
          />{" "}
          <Button small onClick={() => change({ version: undefined }, true)}>
            {t("structure.showTheNewestVersion")}
          </Button>
        </Note>
      )}
    </>
  );
}

/** Stands where a chosen field will be: how well the fields are described. */
function Overall({ fields, lost }: { fields: Field[]; lost: boolean }) {
  const some = (test: (field: Field) => unknown) =>
    t("kit.shownOf", {
      count: count(fields.filter(test).length),
      total: count(fields.length),
    });
  return (
    <Card title={t("structure.schemaSummary")}>
      <div className={styles.sections}>
        {lost && <Note>{t("structure.theFieldOfThisAddress")}</Note>}
        <Facts
          of={[
            [
              t("structure.described"),
              some((one) => one.internal_description || one.external_description),
            ],
            [t("structure.withTerms"), some(({ terms }) => terms?.length)],
            [t("structure.withTags"), some(({ tags }) => tags?.length)],
            [t("structure.withStatistics"), some(({ stats }) => stats)],
            [t("structure.keys"), some((one) => one.is_primary_key)],
          ]}
        />
        <p className="soft">
          {t("structure.chooseAFieldToSee")}
        </p>
      </div>
    </Card>
  );
}
