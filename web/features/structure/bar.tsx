import { ChevronsDownUp, ChevronsUpDown } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { SearchField } from "#web/kit/field.tsx";
import { pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Note } from "#web/kit/states.tsx";
import { useTextParam } from "#web/kit/text-param.ts";
import { Time } from "#web/kit/time.tsx";
import { CompareChoice, VersionChoice } from "#web/features/structure/versions.tsx";
import { t } from "#web/messages/text.ts";
import { Rich } from "#web/messages/rich.tsx";

/** What can be done with the structure as a whole. */
export function StructureBar(
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
