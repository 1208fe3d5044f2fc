import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { read } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Shown } from "#web/kit/states.tsx";
import { Guide } from "#web/features/management/guide.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";

/** What can deliver to the catalogue, and how; or one guide, which the address names. */
export function Integrations() {
  const [{ guide }] = useParamsOfView();
  const previews = useQuery({ ...read("/api/integrations"), enabled: !guide });
  if (guide) return <Guide id={guide} key={guide} />;
  return (
    <Page title={t("management.integrations")} about={t("management.howToSendMetadataTraces")}>
      <Shown of={previews} what={t("management.integrations2")} bones={6}>
        {({ items }) => (
          <div className={styles.guides}>
            {items.map(({ id, name, description, installed }) => (
              <Link
                key={id}
                to="/management/$section"
                params={{ section: "integrations" }}
                search={{ guide: id } as never}
                className={styles.guide}
              >
                <strong>{name}</strong>
                <span className="soft">{description}</span>
                {installed && (
                  <span>
                    <Badge tone="good" icon={<CircleCheck aria-hidden />}>
                      {t("management.inUse")}
                    </Badge>
                  </span>
                )}
              </Link>
            ))}
          </div>
        )}
      </Shown>
    </Page>
  );
}
