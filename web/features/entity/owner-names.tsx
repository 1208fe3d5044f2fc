import { Mail, UserRound } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { listText } from "#web/kit/numbers.ts";
import { mailLink, mailOf } from "#web/components/owner-mail.ts";
import { OwnerLink } from "#web/components/owners.tsx";
import { t } from "#web/messages/text.ts";

/** The first owner with a way to reach them, and how many there are besides. */
export function OwnerNames(
  { of, subject }: {
    of: Schema<"Ownership">[];
    /** Of mail to the owner. */
    subject: string;
  },
) {
  const [{ owner }, ...others] = of as [Schema<"Ownership">, ...Schema<"Ownership">[]];
  const mail = mailOf(owner.associated_user);
  return (
    <>
      <UserRound aria-hidden />
      <OwnerLink
        of={owner}
        title={of.map(({ owner, title }) =>
          listText([owner.name, title?.name ?? ""].filter(Boolean))
        ).join("; ")}
      />
      {others.length > 0 && <span className="soft">+{others.length}</span>}
      {mail && (
        <a href={mailLink(mail, subject)} title={t("entity.writeTo", { name: mail })}>
          <Mail aria-label={t("entity.writeTo", { name: owner.name })} />
        </a>
      )}
    </>
  );
}
