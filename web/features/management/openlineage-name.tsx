import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Tags } from "lucide-react";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { TextField } from "#web/kit/field.tsx";
import { Card, Facts } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Empty, Note, Shown } from "#web/kit/states.tsx";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { words } from "#web/kit/numbers.ts";
import { type Column, Table, textColumn } from "#web/kit/table.tsx";
import styles from "#web/features/management/openlineage.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";
import { EntityById } from "#web/components/entity-details.tsx";

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
    ...read("/api/openlineage/names", { query }),
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

type Name = Schema<"OpenLineageName">;
type Alias = Name["aliases"][number];

const matches = (): Record<Name["match"], { tone: Tone; about: string }> => ({
  exact: { tone: "good", about: t("management.aCollectorReportsItUnder") },
  loose: { tone: "good", about: t("management.matchLoose") },
  template: { tone: "info", about: t("management.noCollectorReportsItA") },
  generic: { tone: "warn", about: t("management.matchGeneric") },
});

const warnings = (): Record<Name["warnings"][number], string> => ({
  ambiguous: t("management.nameAmbiguous"),
  incomplete: t("management.theNameLacksItsDatabase"),
  malformed: t("management.notAValidNameIn"),
});

/** A name, explained: its place in the catalogue first, then how it was found. */
function NameAnswer({ of }: { of: Name }) {
  return (
    <div className={styles.answer}>
      {of.warnings.map((warning) => (
        <Note key={warning} tone="warn">
          <strong>{words(warning)}.</strong> {warnings()[warning]}
        </Note>
      ))}
      <Facts
        of={[
          ["CATRN", <Catrn key="c" of={of.catrn} />],
          [
            t("management.entity"),
            of.entity_id == null
              ? <span key="e" className="soft">{t("management.notCataloguedYet")}</span>
              : <EntityById key="e" id={of.entity_id} />,
          ],
          [t("management.match"), <Match key="m" of={of.match} />],
          [t("management.rule"), <code key="r">{of.rule}</code>],
          [
            t("management.dataSource2"),
            of.source_catrn
              ? <span key="s" className="mono foreign">{of.source_catrn}</span>
              : <span key="s" className="soft">{t("management.noneYet")}</span>,
          ],
        ]}
      />
      <Aliases of={of.aliases} />
    </div>
  );
}

function Catrn({ of }: { of: string }) {
  return (
    <div className={styles.catrn}>
      <span className="mono foreign">{of}</span>
      <CopyButton text={of} what={t("kit.catrn")} />
    </div>
  );
}

function Match({ of }: { of: Name["match"] }) {
  const { tone, about } = matches()[of];
  return (
    <div className={styles.match}>
      <Badge tone={tone}>{words(of)}</Badge>
      <span>{about}</span>
    </div>
  );
}

function Aliases({ of }: { of: Alias[] }) {
  if (of.length === 0) {
    return <p className="soft">{t("management.noEventGaveItAnother")}</p>;
  }
  return (
    <Table
      label={t("management.otherNames")}
      columns={columns()}
      rows={of}
      keyOf={({ namespace, name }) => JSON.stringify([namespace, name])}
    />
  );
}

const roles: ReadonlyMap<string, PlainKey> = new Map([
  ["location", "management.roleLocation"],
  ["table", "management.roleTable"],
  ["name", "management.roleName"],
]);

function roleText(role: string): string {
  const known = roles.get(role);
  return known ? t(known) : role;
}

const columns = (): Column<Alias>[] => [
  {
    name: t("management.otherName"),
    cell: ({ namespace, name }) => (
      <Link
        to="/management/$section"
        params={{ section: "openlineage" }}
        search={{ view: "name", namespace, name } as never}
        className="foreign"
      >
        {name}
      </Link>
    ),
  },
  textColumn(t("kit.namespace"), ({ namespace }) => namespace),
  { name: t("management.match"), cell: ({ role }) => roleText(role) },
];
