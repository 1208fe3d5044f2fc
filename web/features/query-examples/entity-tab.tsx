import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Code2, Link2, Plus, Unlink } from "lucide-react";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { CodeBlock } from "#web/kit/code.tsx";
import { Card, Toolbar } from "#web/kit/page.tsx";
import { Bones, Empty, Failure } from "#web/kit/states.tsx";
import { toast } from "#web/kit/toast.tsx";
import { useCan } from "#web/components/permissions.ts";
import { complain, undoing } from "#web/components/undo.ts";
import { ExampleDialog } from "#web/features/query-examples/example-dialog.tsx";
import { LinkDialog } from "#web/features/query-examples/link-dialog.tsx";
import {
  createExample,
  type Example,
  linkEntity,
  titleOf,
  unlinkEntity,
  useExamplesChanged,
} from "#web/features/query-examples/examples.ts";
import styles from "#web/features/query-examples/examples.module.css";
import { t } from "#web/messages/text.ts";

/** The query examples of a data entity. */
export function QueriesTab() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const entity = Number(id);
  const examples = useQuery(read("/api/queryexample/dataset/{data_entity_id}", {
    params: { path: { data_entity_id: entity } },
  }));
  if (!examples.data) {
    return examples.error
      ? (
        <Failure
          error={examples.error}
          what={t("query-examples.listOfQueryExamples")}
          onRetry={() => void examples.refetch()}
        />
      )
      : (
        <Card>
          <Bones lines={8} />
        </Card>
      );
  }
  const { items } = examples.data;
  return (
    <div className={styles.list}>
      {items.length > 0 && (
        <Toolbar>
          <Actions entity={entity} known={items} />
        </Toolbar>
      )}
      {items.map((one) => <Attached key={one.id} of={one} entity={entity} />)}
      {items.length === 0 && (
        <Card>
          <Empty
            title={t("query-examples.noQueryExamplesYet")}
            icon={<Code2 aria-hidden />}
            action={<Actions entity={entity} known={items} />}
          >
            {t("query-examples.saveQueriesThatPeopleAsk")}
          </Empty>
        </Card>
      )}
    </div>
  );
}

function Actions({ entity, known }: { entity: number; known: Example[] }) {
  const [doing, setDoing] = useState<"create" | "link">();
  const can = useCan("DATA_ENTITY", entity);
  const close = () => setDoing(undefined);
  if (!can("QUERY_EXAMPLE_DATASET_CREATE")) return null;
  return (
    <>
      {can("QUERY_EXAMPLE_CREATE") && (
        <Button variant="primary" onClick={() => setDoing("create")}>
          <Plus aria-hidden /> {t("query-examples.newExample")}
        </Button>
      )}
      <Button onClick={() => setDoing("link")}>
        <Link2 aria-hidden /> {t("query-examples.linkAnExistingOne")}
      </Button>
      {doing === "create" && (
        <ExampleDialog
          title={t("query-examples.newQueryExample")}
          action={t("kit.create")}
          save={async (form) => {
            const { id } = await createExample(form);
            await linkEntity(entity, id);
          }}
          onClose={close}
        />
      )}
      {doing === "link" && <LinkDialog entity={entity} known={known} onClose={close} />}
    </>
  );
}

function Attached({ of, entity }: { of: Example; entity: number }) {
  const can = useCan("DATA_ENTITY", entity);
  const changed = useExamplesChanged();
  const remove = async () => {
    try {
      await unlinkEntity(entity, of.id);
      await changed();
      const undo = () => linkEntity(entity, of.id).then(changed);
      toast(t("query-examples.queryExampleUnlinked"), { undo: undoing(undo) });
    } catch (error) {
      complain(t("query-examples.couldNotRemoveTheLink"), error);
    }
  };
  return (
    <Card
      title={titleOf(of)}
      actions={
        <>
          <Link to="/queryexamples/$id" params={{ id: String(of.id) }}>
            {t("query-examples.open")}
          </Link>
          {can("QUERY_EXAMPLE_DATASET_DELETE") && (
            <IconButton
              small
              label={t("query-examples.removeTheLinkTo", { name: titleOf(of) })}
              onClick={() => void remove()}
            >
              <Unlink />
            </IconButton>
          )}
        </>
      }
    >
      <div className={styles.one}>
        {titleOf(of) !== of.definition.trim() && (
          <p className={`${styles.text} foreign`}>{of.definition}</p>
        )}
        <CodeBlock text={of.query} what={t("query-examples.query")} />
      </div>
    </Card>
  );
}
