import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Mail } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { buttonClass } from "#web/kit/button.tsx";
import { listText } from "#web/kit/numbers.ts";
import { Card, Columns, Facts, Page } from "#web/kit/page.tsx";
import { Bones, Empty, Failure } from "#web/kit/states.tsx";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { OwnerAlerts } from "#web/features/owner/alerts.tsx";
import { OwnerAssets } from "#web/features/owner/assets.tsx";
import { RequestOwnership } from "#web/features/owner/request.tsx";
import styles from "#web/features/owner/owner.module.css";
import { t } from "#web/messages/text.ts";

type Owner = Schema<"Owner">;

/** The page of one owner: how to reach them, what they own, and what is wrong with it. */
export function OwnerScreen() {
  const { id: text } = useParams({ strict: false }) as { id: string };
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  const owner = useQuery({
    ...read("/api/owners", { params: { query: { page: 1, size: 1, ids: [id] } } }),
    enabled: id > 0,
    placeholderData: undefined,
  });
  const found = owner.data?.items[0];
  if (found) return <OwnerPage of={found} key={id} />;
  return (
    <Page title={t("kit.owner")}>
      {owner.error
        ? (
          <Failure
            error={owner.error}
            what={t("owner.owner")}
            onRetry={() => void owner.refetch()}
          />
        )
        : id > 0 && owner.isPending
        ? <Bones lines={10} />
        : (
          <Empty title={t("owner.ownerNotFound")}>
            <Link to="/management/$section" params={{ section: "owners" }}>
              {t("owner.allOwners")}
            </Link>
          </Empty>
        )}
    </Page>
  );
}

function OwnerPage({ of }: { of: Owner }) {
  const mail = mailOf(of.associated_user);
  return (
    <Page
      title={of.name}
      about={t("kit.owner")}
      actions={
        <>
          {mail && (
            <a className={buttonClass()} href={mailLink(mail, t("owner.aQuestionAboutYourData"))}>
              <Mail aria-hidden />
              {t("owner.askTheOwner")}
            </a>
          )}
          <RequestOwnership of={of} />
        </>
      }
    >
      <Columns
        main={
          <>
            <OwnerAlerts owner={of.id} />
            <OwnerAssets owner={of.id} />
          </>
        }
        side={
          <Card title={t("owner.contact")}>
            <Contact of={of} mail={mail} />
          </Card>
        }
      />
    </Page>
  );
}

function Contact({ of: { associated_user: user, roles }, mail }: { of: Owner; mail?: string }) {
  if (!user?.oidc_username) {
    return <span className="soft">{t("owner.noUserBelongsToThis")}</span>;
  }
  return (
    <div className={styles.contact}>
      <Facts
        of={[
          [t("owner.user"), <span key="user" className="foreign">{user.oidc_username}</span>],
          mail !== undefined &&
          [t("owner.mail"), <a key="mail" href={`mailto:${mail}`} className="foreign">{mail}</a>],
          Boolean(user.provider) && [t("owner.signsInBy"), user.provider],
          roles && roles.length > 0 && [t("owner.roles"), listText(roles.map(({ name }) => name))],
        ]}
      />
    </div>
  );
}
