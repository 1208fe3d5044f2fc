import { Link, useParams } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { Page, Panel, panelId, SkipLink } from "#web/kit/page.tsx";
import { Empty, Note } from "#web/kit/states.tsx";
import { useAppInfo, useCan, useIdentity } from "#web/components/permissions.ts";
import { type Section, sections } from "#web/features/management/sections.ts";
import styles from "#web/features/management/management.module.css";
import { Rich } from "#web/messages/rich.tsx";
import { t } from "#web/messages/text.ts";

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
            <Rich
              of="management.signInIsOffAnyone"
              tags={{ strong: <strong />, code: <code /> }}
            />
          </Note>
        </aside>
      )}
      <of.show />
    </>
  );
}
