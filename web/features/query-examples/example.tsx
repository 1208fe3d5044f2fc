import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { read, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { CodeBlock } from "#web/kit/code.tsx";
import { Confirm } from "#web/kit/confirm.tsx";
import { Card, Columns, Page } from "#web/kit/page.tsx";
import { Bones, Failure } from "#web/kit/states.tsx";
import { Time } from "#web/kit/time.tsx";
import { toast } from "#web/kit/toast.ts";
import { useCan } from "#web/components/permissions.ts";
import {
  ExampleDialog,
  titleOf,
  useExamplesChanged,
} from "#web/features/query-examples/examples.tsx";
import { LinkedEntities, LinkedTerms } from "#web/features/query-examples/links.tsx";
import styles from "#web/features/query-examples/examples.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

type Details = Schema<"QueryExampleDetails">;

/** One query example: what it is for, the query, and what it belongs to. */
export function QueryExampleScreen() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const example = useQuery({
    ...read("/api/queryexample/{example_id}", { params: { path: { example_id: Number(id) } } }),
    placeholderData: undefined,
    enabled: /^\d{1,15}$/.test(id),
  });
  if (example.data) return <Shown of={example.data} />;
  const failed = example.error;
  return (
    <Page
      title={t("query-examples.queryExample")}
      about={<Link to="/queryexamples">{t("query-examples.allQueryExamples")}</Link>}
    >
      <Card>
        {failed
          ? (
            <Failure
              error={failed}
              what={t("query-examples.queryExample2")}
              onRetry={() => void example.refetch()}
            />
          )
          : <Bones lines={10} />}
      </Card>
    </Page>
  );
}

function Shown({ of }: { of: Details }) {
  return (
    <Page
      title={titleOf(of)}
      about={
        <Rich
          of="query-examples.aboutExample"
          values={{ time: <Time at={of.updated_at} /> }}
          tags={{ link: <Link to="/queryexamples" /> }}
        />
      }
      actions={<Actions of={of} />}
    >
      <Columns
        main={
          <>
            <Card title={t("query-examples.matchFor")}>
              <p className={`${styles.text} foreign`}>{of.definition}</p>
            </Card>
            <Card title={t("query-examples.query2")}>
              <CodeBlock text={of.query} what={t("query-examples.query")} />
            </Card>
          </>
        }
        side={
          <>
            <LinkedEntities example={of} />
            <LinkedTerms example={of} />
          </>
        }
      />
    </Page>
  );
}

function Actions({ of }: { of: Details }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const can = useCan("QUERY_EXAMPLE", of.id);
  const navigate = useNavigate();
  const changed = useExamplesChanged();
  const path = { params: { path: { example_id: of.id } } };
  const close = () => setDoing(undefined);
  const remove = async () => {
    await send("delete", "/api/queryexample/{example_id}", path);
    toast(t("query-examples.theQueryExampleIsDeleted"));
    await navigate({ to: "/queryexamples" });
    await changed();
  };
  return (
    <>
      {can("QUERY_EXAMPLE_UPDATE") && (
        <Button onClick={() => setDoing("edit")}>
          <Pencil aria-hidden /> {t("query-examples.edit")}
        </Button>
      )}
      {can("QUERY_EXAMPLE_DELETE") && (
        <Button variant="danger" onClick={() => setDoing("delete")}>
          <Trash2 aria-hidden /> {t("kit.delete")}
        </Button>
      )}
      {doing === "edit" && (
        <ExampleDialog
          title={t("query-examples.editTheQueryExample")}
          action={t("kit.save")}
          given={of}
          save={(body) => send("put", "/api/queryexample/{example_id}", { ...path, body })}
          onClose={close}
        />
      )}
      <Confirm
        open={doing === "delete"}
        onClose={close}
        title={t("query-examples.deleteThisQueryExample")}
        action={t("kit.delete")}
        onConfirm={remove}
      >
        {t("query-examples.exampleGoes", {
          title: titleOf(of),
          entities: of.linked_entities.page_info.total,
          terms: of.linked_terms.page_info.total,
        })}
      </Confirm>
    </>
  );
}
