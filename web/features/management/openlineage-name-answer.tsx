import { Link } from "@tanstack/react-router";
import type { Schema } from "#web/api/client.ts";
import { Badge, type Tone } from "#web/kit/badge.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { words } from "#web/kit/numbers.ts";
import { Facts } from "#web/kit/page.tsx";
import { Note } from "#web/kit/states.tsx";
import { type Column, Table } from "#web/kit/table.tsx";
import { EntityById } from "#web/components/entity-by-id.tsx";
import styles from "#web/features/management/openlineage.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

type Name = Schema<"OpenLineageName">;
type Alias = Name["aliases"][number];

const matches = (): Record<Name["match"], { tone: Tone; about: string }> => ({
  exact: {
    tone: "good",
    about: t("management.aCollectorReportsItUnder"),
  },
  loose: {
    tone: "good",
    about: t("management.matchLoose"),
  },
  template: {
    tone: "info",
    about: t("management.noCollectorReportsItA"),
  },
  generic: {
    tone: "warn",
    about: t("management.matchGeneric"),
  },
});

const warnings = (): Record<Name["warnings"][number], string> => ({
  ambiguous: t("management.nameAmbiguous"),
  incomplete: t("management.theNameLacksItsDatabase"),
  malformed: t("management.notAValidNameIn"),
});

/** A name, explained: its place in the catalogue first, then how it was found. */
export function NameAnswer({ of }: { of: Name }) {
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
  {
    name: t("kit.namespace"),
    cell: ({ namespace }) => <span className="foreign">{namespace}</span>,
  },
  { name: t("management.match"), cell: ({ role }) => roleText(role) },
];
