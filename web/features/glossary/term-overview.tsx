import type { Schema } from "#web/api/client.ts";
import { Card, Columns, Facts } from "#web/kit/page.tsx";
import { Time } from "#web/kit/time.tsx";
import { TermText } from "#web/components/term-link.tsx";
import { TermOwners } from "#web/features/glossary/term-owners.tsx";
import { TermTags } from "#web/features/glossary/term-tags.tsx";
import { t } from "#web/messages/text.ts";

/** What a term means, whose it is, and its tags. */
export function TermOverview({ term }: { term: Schema<"TermDetails"> }) {
  return (
    <Columns
      main={
        <Card title={t("glossary.definition")}>
          <TermText text={term.definition} none={t("glossary.noDefinition")} />
        </Card>
      }
      side={
        <>
          <TermOwners term={term} />
          <TermTags term={term} />
          <Card title={t("glossary.details")}>
            <Facts
              of={[
                [
                  t("glossary.mentionItAs"),
                  <code key="mention" className="foreign">{mentionOf(term)}</code>,
                ],
                [t("glossary.defined"), <Time key="defined" at={term.created_at} />],
                [t("glossary.changed"), <Time key="changed" at={term.updated_at} />],
              ]}
            />
          </Card>
        </>
      }
    />
  );
}

function mentionOf({ name, namespace }: Schema<"TermDetails">): string {
  return `[[${namespace.name}:${name}]]`;
}
