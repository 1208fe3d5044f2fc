import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { BookOpenText } from "lucide-react";
import { useEffect, useState } from "react";
import { read } from "#web/api/client.ts";
import { ApiError } from "#web/api/errors.ts";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { Page } from "#web/kit/page.tsx";
import { Bones, Empty, Failure } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import { namesOfTerm } from "#web/components/term-names.ts";
import { TermDialog } from "#web/features/glossary/term-dialog.tsx";
import { t } from "#web/messages/text.ts";

/** Where mentions in texts lead to: the page of the term, or that nobody has defined it yet. */
export function NamedTerm({ name }: { name: string }) {
  const named = namesOfTerm(name);
  const navigate = useNavigate();
  const found = useQuery({
    ...read("/api/terms/namespaces/{namespace_name}/names/{term_name}", {
      params: { path: { namespace_name: named?.namespace ?? "", term_name: named?.name ?? "" } },
    }),
    enabled: named !== undefined,
  });
  const id = found.data?.id;
  useEffect(() => {
    if (id) void navigate({ to: "/terms/$id", params: { id: String(id) }, replace: true });
  }, [id]);
  const unknown = !named || found.error instanceof ApiError && found.error.status === 404;
  return (
    <Page title={named?.name ?? name}>
      {unknown ? <Undefined name={name} named={named} /> : found.error
        ? (
          <Failure
            error={found.error}
            what={t("glossary.term")}
            onRetry={() => void found.refetch()}
          />
        )
        : <Bones lines={6} />}
    </Page>
  );
}

function Undefined(
  { name, named }: { name: string; named: { namespace: string; name: string } | undefined },
) {
  const can = useCan();
  const [making, setMaking] = useState(false);
  return (
    <>
      <Empty
        title={named ? t("glossary.thisTermHasNoDefinition") : t("glossary.termNotFound")}
        icon={<BookOpenText aria-hidden />}
        action={
          <>
            {named && can("TERM_CREATE") && (
              <Button
                variant="primary"
                onClick={() => setMaking(true)}
              >
                {t("glossary.defineIt")}
              </Button>
            )}
            <Link to="/terms" className={buttonClass()}>{t("glossary.allTerms")}</Link>
          </>
        }
      >
        {named ? t("glossary.aTextMentions", named) : t("glossary.notOfTheForm", { name })}
      </Empty>
      {making && <TermDialog onClose={() => setMaking(false)} initial={named} />}
    </>
  );
}
