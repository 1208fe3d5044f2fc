import { Link, useParams } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { Page } from "#web/kit/page.tsx";
import { Panel, panelId, SkipLink } from "#web/kit/skip.tsx";
import { Empty } from "#web/kit/states.tsx";
import { useCan, useIdentity } from "#web/components/permissions.ts";
import { sections } from "#web/features/management/sections.ts";
import styles from "#web/features/management/management.module.css";

/** One frame for all that managers look after: sections at the side, the chosen one next to them. */
export function ManagementScreen() {
  const { section } = useParams({ strict: false }) as { section: string };
  const can = useCan();
  return (
    <div className={styles.frame}>
      <SkipLink to={panelId}>Skip to the section</SkipLink>
      <nav className={styles.sections} aria-label="Management">
        {sections.map(({ heading, sections: some }) => (
          <div key={heading}>
            <div className={styles.heading}>{heading}</div>
            {some.filter(({ needs }) => !needs || can(needs)).map(({ id, name, icon: Icon }) => (
              <Link
                key={id}
                to="/management/$section"
                params={{ section: id }}
                className={styles.section}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                <Icon aria-hidden /> {name}
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
      <Page title="Management">
        <Empty title="Section not found">Choose a section from the navigation.</Empty>
      </Page>
    );
  }
  if (found.needs && !can(found.needs)) {
    return (
      <Page title={found.name}>
        {known && (
          <Empty title="You do not have access" icon={<Lock aria-hidden />}>
            It requires the permission {found.needs}. Whoever manages roles can give it.
          </Empty>
        )}
      </Page>
    );
  }
  return <found.show />;
}
