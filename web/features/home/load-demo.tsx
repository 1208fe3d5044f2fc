import { useQuery, useQueryClient } from "@tanstack/react-query";
import { read, refresh, type Schema, send } from "#web/api/client.ts";
import { Button } from "#web/kit/button.tsx";
import { useForm } from "#web/kit/form.ts";
import { Note } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import styles from "#web/features/home/home.module.css";
import { t } from "#web/messages/text.ts";

/** Milliseconds between two looks at how far it is. */
const lookMs = 1_000;

/** A button that fills an empty catalogue with the demonstration, then how far that is. */
export function LoadDemo() {
  const can = useCan();
  const queries = useQueryClient();
  const { data } = useQuery({
    ...read("/api/demonstration"),
    refetchInterval: ({ state }) => state.data?.state === "RUNNING" ? lookMs : false,
  });
  const form = useForm(
    () => send("post", "/api/demonstration"),
    () => refresh(queries, "/api/demonstration"),
  );
  if (!data || !can("DATA_SOURCE_CREATE")) return null;
  if (data.state === "AVAILABLE") {
    return (
      <div className={styles.demo}>
        <Button busy={form.busy} onClick={() => form.submit(undefined)}>
          {t("home.loadTheDemo")}
        </Button>{" "}
        <span>
          {t("home.aShopWith278Items")}
        </span>
        {form.failed && <Note tone="bad">{form.rest().join("; ")}</Note>}
      </div>
    );
  }
  return <DemoProgress of={data} />;
}

function DemoProgress({ of }: { of: Schema<"Demonstration"> }) {
  if (of.state === "FAILED") {
    return <Note tone="bad">{t("home.demoNotLoaded", { problem: of.problem ?? "" })}</Note>;
  }
  if (of.state === "DONE") return <Note tone="good">{t("home.theDemoIsLoaded")}</Note>;
  if (of.state !== "RUNNING") return null;
  return (
    <div className={styles.demo}>
      <progress aria-label={t("home.loadingTheDemo")} max={of.total || undefined} value={of.done} />
      {" "}
      <span role="status">{t("home.loadingStep", { step: of.next ?? "" })}</span>
    </div>
  );
}
