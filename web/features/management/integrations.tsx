import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, KeyRound, LoaderCircle } from "lucide-react";
import { useMemo, useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { Badge } from "#web/kit/badge.tsx";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
import { Note, Pending, Shown } from "#web/kit/states.tsx";
import { Button, buttonClass } from "#web/kit/button.tsx";
import { CopyButton } from "#web/kit/copy.tsx";
import { TextField } from "#web/kit/field.tsx";
import { Markdown } from "#web/kit/markdown.tsx";
import styles from "#web/features/management/management.module.css";
import { t } from "#web/messages/text.ts";
import { argumentsOf, filled } from "#web/features/management/fill.ts";
import { CollectorDialog } from "#web/features/management/collectors.tsx";
import { TokenDialog } from "#web/features/management/tokens.tsx";
import { useAppInfo, useCan } from "#web/components/permissions.ts";

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

/** One guide: what it needs to know, and its steps with snippets that are filled in. */
function Guide({ id }: { id: string }) {
  const guide = useQuery({
    ...read("/api/integrations/{integration_id}", { path: { integration_id: id } }),
    placeholderData: undefined,
  });
  const back = (
    <Link to="/management/$section" params={{ section: "integrations" }} className={buttonClass()}>
      {t("management.allIntegrations")}
    </Link>
  );
  if (guide.data) {
    return (
      <Page title={guide.data.name} about={guide.data.description} actions={back}>
        <Steps of={guide.data} />
      </Page>
    );
  }
  return (
    <Page title={t("management.integration")} actions={back}>
      <Pending of={guide} what={t("management.guide")} bones={10} />
    </Page>
  );
}

function Steps({ of }: { of: Schema<"Integration"> }) {
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const wanted = useMemo(() => argumentsOf(of), [of]);
  const fill = (parameter: string, value: string) =>
    setTyped((before) => new Map(before).set(parameter, value));
  return (
    <>
      {of.id !== "mcp" && <FirstArrival of={of} />}
      {wanted.length > 0 && (
        <Card title={t("management.yourValues")}>
          <div className={styles.pair}>
            {wanted.map(({ parameter, name, type, static_value }) => (
              <TextField
                key={parameter}
                label={name}
                inputMode={type === "INTEGER" ? "numeric" : undefined}
                value={typed.get(parameter) ?? static_value ?? ""}
                onChange={({ target }) => fill(parameter, target.value)}
              />
            ))}
          </div>
          <NewToken
            guide={of}
            parameters={wanted.map(({ parameter }) => parameter)}
            onToken={fill}
          />
        </Card>
      )}
      {of.content_blocks.map(({ title, content, code_snippets }) => (
        <Card key={title} title={title}>
          <div className={styles.stack}>
            <Markdown text={content} />
            {code_snippets.map(({ template, arguments: known }) => (
              <Snippet key={template} what={title} code={filled(template, known ?? [], typed)} />
            ))}
          </div>
        </Card>
      ))}
    </>
  );
}

function Snippet({ code, what }: { code: string; what: string }) {
  return (
    <div className={styles.snippet}>
      <pre tabIndex={0} aria-label={what}><code>{code}</code></pre>
      <CopyButton text={code} what={t("management.snippet")} />
    </div>
  );
}

/** Parameters that a collector's token fills in, those that a person's does, and the words for both. */
const kinds = [
  { kind: "collector", parameters: ["collector_token", "token", "otlp_token"] },
  { kind: "person", parameters: ["personal_token"] },
] as const;

/** Makes a token for a guide and fills it in. */
function NewToken(
  { guide: { id, name }, parameters, onToken }: {
    guide: Schema<"Integration">;
    parameters: string[];
    onToken: (parameter: string, token: string) => void;
  },
) {
  const [making, setMaking] = useState<"collector" | "person">();
  const [isMade, setMade] = useState(false);
  const can = useCan();
  const signsIn = useAppInfo().data?.authType !== "DISABLED";
  const offered = kinds.filter(({ kind, parameters: some }) =>
    some.some((one) => parameters.includes(one)) &&
    (kind === "collector" ? can("COLLECTOR_CREATE") : signsIn)
  );
  const fill = (token: string | null | undefined) => {
    const { parameters: some } = kinds.find(({ kind }) => kind === making)!;
    for (const one of some) if (parameters.includes(one)) onToken(one, token ?? "");
    setMade(true);
  };
  if (offered.length === 0) return null;
  const form = { proposed: id, onClose: () => setMaking(undefined) };
  return (
    <div className={styles.made}>
      {offered.map(({ kind }) => (
        <Button key={kind} onClick={() => setMaking(kind)}>
          <KeyRound aria-hidden /> {kind === "collector"
            ? t("management.createATokenFor", { name })
            : t("management.createAPersonalToken")}
        </Button>
      ))}
      {isMade && <Note tone="warn">{t("management.theTokenIsFilledIn")}</Note>}
      {making === "collector" && (
        <CollectorDialog
          of={undefined}
          {...form}
          onMade={({ token }) => fill(token.value)}
        />
      )}
      {making === "person" && <TokenDialog {...form} onMade={({ value }) => fill(value)} />}
    </div>
  );
}

/** Whether anything has come by this way; it changes by itself when the first batch does. */
function FirstArrival({ of: { name, installed } }: { of: Schema<"Integration"> }) {
  return (
    <p className={styles.arrived} role="status">
      {installed ? <CircleCheck aria-hidden /> : <LoaderCircle aria-hidden />} {installed
        ? t("management.inUseMetadataHasBeen", { name })
        : t("management.waitingForTheFirstBatch2", { name })}
    </p>
  );
}
