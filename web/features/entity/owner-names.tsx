import { Link } from "@tanstack/react-router";
import { Mail, UserRound } from "lucide-react";
import type { Schema } from "#web/api/client.ts";
import { mailOf } from "#web/features/entity/trust.ts";

/** The first owner with a way to reach them, and how many there are besides. */
export function OwnerNames({ of }: { of: Schema<"Ownership">[] }) {
  const [{ owner }, ...others] = of as [Schema<"Ownership">, ...Schema<"Ownership">[]];
  const mail = mailOf(owner.associated_user);
  return (
    <>
      <UserRound aria-hidden />
      <Link
        to="/search"
        search={{ owners: String(owner.id) } as never}
        className="truncate"
        title={of.map((one) => [one.owner.name, one.title?.name].filter(Boolean).join(", ")).join(
          "; ",
        )}
      >
        {owner.name}
      </Link>
      {others.length > 0 && <span className="soft">+{others.length}</span>}
      {mail && (
        <a href={`mailto:${mail}`} title={`Write to ${mail}`}>
          <Mail aria-label={`Write to ${owner.name}`} />
        </a>
      )}
    </>
  );
}
