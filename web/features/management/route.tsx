import { Link, useParams } from "@tanstack/react-router";
import {
  BadgeCheck,
  Bot,
  Cable,
  Database,
  Folder,
  KeyRound,
  Lock,
  type LucideIcon,
  Plug,
  ScrollText,
  Shield,
  Tag,
  UserRoundCheck,
  UserRoundCog,
  UsersRound,
  Workflow,
} from "lucide-react";
import type { ComponentType } from "react";
import { type Permission, useAppInfo, useCan, useIdentity } from "#web/components/permissions.ts";
import { Associations } from "#web/features/management/associations.tsx";
import { Audit } from "#web/features/management/audit.tsx";
import { Collectors } from "#web/features/management/collectors.tsx";
import { Connections } from "#web/features/management/connections.tsx";
import { Integrations } from "#web/features/management/integrations.tsx";
import styles from "#web/features/management/management.module.css";
import { Namespaces } from "#web/features/management/namespaces.tsx";
import { OpenLineage } from "#web/features/management/openlineage.tsx";
import { Owners } from "#web/features/management/owners.tsx";
import { Policies } from "#web/features/management/policies.tsx";
import { Roles } from "#web/features/management/roles.tsx";
import { Sources } from "#web/features/management/sources.tsx";
import { Tags } from "#web/features/management/tags.tsx";
import { Titles } from "#web/features/management/titles.tsx";
import { Tokens } from "#web/features/management/tokens.tsx";
import { Page, Panel, panelId, SkipLink } from "#web/kit/page.tsx";
import { Empty, Note } from "#web/kit/states.tsx";
import { Rich } from "#web/messages/rich.tsx";
import { type PlainKey, t } from "#web/messages/text.ts";

/** One frame for all that managers look after: sections at the side, the chosen one next to them. */
export function ManagementScreen() {
  const { section } = useParams({ strict: false }) as { section: string };
  const can = useCan();
  return (
    <div className={styles.frame}>
      <SkipLink to={panelId}>{t("management.skipToTheSection")}</SkipLink>
      <nav className={styles.sections} aria-label={t("management.management")}>
        {sections.map(({ heading, sections: some }) => (
          <div key={heading}>
            <div className={styles.heading}>{t(heading)}</div>
            {some.filter(({ needs }) => !needs || can(needs)).map(({ id, name, icon: Icon }) => (
              <Link
                key={id}
                to="/management/$section"
                params={{ section: id }}
                className={styles.section}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                <Icon aria-hidden /> {t(name)}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <Panel>
        <Chosen id={section} key={section} />
      </Panel>
    </div>
  );
}

function Chosen({ id }: { id: string }) {
  const can = useCan();
  const known = useIdentity().isFetched;
  const found = sections.flatMap((group) => group.sections).find((one) => one.id === id);
  if (!found) {
    return (
      <Page title={t("management.management")}>
        <Empty title={t("management.sectionNotFound")}>
          {t("management.chooseASectionFromThe")}
        </Empty>
      </Page>
    );
  }
  if (found.needs && !can(found.needs)) {
    return (
      <Page title={t(found.name)}>
        {known && (
          <Empty title={t("management.youDoNotHaveAccess")} icon={<Lock aria-hidden />}>
            {t("management.needsPermission", { permission: found.needs })}
          </Empty>
        )}
      </Page>
    );
  }
  return isAboutPeople(found) ? <PeopleSection of={found} /> : <found.show />;
}

interface Section {
  /** What the address calls it. */
  id: string;
  name: PlainKey;
  icon: LucideIcon;
  show: ComponentType;
  /** Without it the section is not offered. */
  needs?: Permission;
}

/** What managers look after, in groups. */
const sections: { heading: PlainKey; sections: Section[] }[] = [
  {
    heading: "management.ingestion",
    sections: [
      { id: "sources", name: "management.dataSources", icon: Database, show: Sources },
      {
        id: "connections",
        name: "management.connections",
        icon: Cable,
        show: Connections,
        needs: "CONNECTION_VIEW",
      },
      { id: "collectors", name: "management.collectors", icon: Bot, show: Collectors },
      { id: "integrations", name: "management.integrations", icon: Plug, show: Integrations },
      { id: "openlineage", name: "management.openlineage", icon: Workflow, show: OpenLineage },
    ],
  },
  {
    heading: "management.vocabulary",
    sections: [
      { id: "namespaces", name: "management.namespaces", icon: Folder, show: Namespaces },
      { id: "tags", name: "kit.tags", icon: Tag, show: Tags },
      { id: "titles", name: "management.responsibilities", icon: BadgeCheck, show: Titles },
    ],
  },
  {
    heading: "management.people",
    sections: [
      { id: "owners", name: "kit.owners", icon: UsersRound, show: Owners },
      {
        id: "associations",
        name: "management.userLinks",
        icon: UserRoundCheck,
        show: Associations,
      },
      { id: "roles", name: "management.roles", icon: UserRoundCog, show: Roles },
      { id: "policies", name: "management.policies", icon: Shield, show: Policies },
      { id: "tokens", name: "management.myTokens", icon: KeyRound, show: Tokens },
      { id: "audit", name: "management.audit", icon: ScrollText, show: Audit, needs: "AUDIT_VIEW" },
    ],
  },
];

const people = sections.find(({ heading }) => heading === "management.people")?.sections ?? [];
const isAboutPeople = (section: Section) => people.includes(section) && section.id !== "tokens";

/** Below what has to be known first: while nobody signs in, none of this has an effect. */
function PeopleSection({ of }: { of: Section }) {
  const isOff = useAppInfo().data?.authType === "DISABLED";
  return (
    <>
      {isOff && (
        <aside className={styles.off} aria-label={t("management.signInIsOff")}>
          <Note tone="warn">
            <Rich of="management.signInIsOffAnyone" tags={{ strong: <strong />, code: <code /> }} />
          </Note>
        </aside>
      )}
      <of.show />
    </>
  );
}
