import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Tags } from "lucide-react";
import { useState } from "react";
import { read } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { Card } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Shown } from "#web/kit/states.tsx";
import { NameAnswer } from "#web/features/management/openlineage-name-answer.tsx";
import styles from "#web/features/management/openlineage.module.css";
import { t } from "#web/messages/text.ts";

const example = { namespace: "postgres://db.example:5432", name: "shop.public.orders" };

/** What the catalogue knows a dataset as that OpenLineage names, and why. */
export function NameView() {
  const [{ namespace = "", name = "" }] = useParamsOfView();
  return (
    <>
      <Card title={t("management.resolveADatasetName")}>
        <NameForm key={`${namespace} ${name}`} namespace={namespace} name={name} />
      </Card>
      {namespace && name ? <Answer namespace={namespace} name={name} /> : <NameHint />}
    </>
  );
}

function NameForm(given: { namespace: string; name: string }) {
  const [, change] = useParamsOfView();
  const [namespace, setNamespace] = useState(given.namespace);
  const [name, setName] = useState(given.name);
  const query = { namespace: namespace.trim(), name: name.trim() };
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        if (query.namespace && query.name) change(query, true);
      }}
    >
      <TextField
        label={t("kit.namespace")}
        value={namespace}
        spellCheck={false}
        hint={t("management.ofTheDatasetSuchAs", { namespace: example.namespace })}
        onChange={({ target }) => setNamespace(target.value)}
      />
      <TextField
        label={t("kit.name")}
        value={name}
        spellCheck={false}
        hint={t("management.asTheEventWritesIt", { name: example.name })}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" variant="primary" disabled={!query.namespace || !query.name}>
        {t("management.explain")}
      </Button>
    </form>
  );
}

function Answer(query: { namespace: string; name: string }) {
  const answer = useQuery({
    ...read("/api/openlineage/names", { params: { query } }),
    placeholderData: undefined,
  });
  return (
    <Card title={t("management.result")}>
      <Shown of={answer} what={t("management.name")} bones={6}>
        {(of) => <NameAnswer of={of} />}
      </Shown>
    </Card>
  );
}

function NameHint() {
  return (
    <Card>
      <Empty
        title={t("management.resolveTheDatasetNameOf")}
        icon={<Tags aria-hidden />}
        action={
          <Link
            to="/management/$section"
            params={{ section: "openlineage" }}
            search={{ view: "name", ...example } as never}
            className={buttonClass()}
          >
            {t("management.tryAnExample")}
          </Link>
        }
      >
        {t("management.eventsNameADatasetBy")}
      </Empty>
    </Card>
  );
}
