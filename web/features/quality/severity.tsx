import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refresh, type Schema, send } from "#web/api/client.ts";
import { messagesByField } from "#web/api/errors.ts";
import { SelectField } from "#web/kit/field.tsx";
import { words } from "#web/kit/numbers.ts";
import { toast } from "#web/kit/toast.tsx";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

type Level = Schema<"DataQualityTestSeverity">;
const levels: Level[] = ["MINOR", "MAJOR", "CRITICAL"];

/** How severe a test is for a dataset; chosen in place where the caller may. */
export function Severity(
  { dataset, test, canSet }: { dataset: number; test: Schema<"DataEntity">; canSet: boolean },
) {
  const queries = useQueryClient();
  const now = test.severity ?? "MAJOR";
  const set = useMutation({
    mutationFn: ({ severity }: { severity: Level; undo?: boolean }) =>
      send("put", "/api/datasets/{data_entity_id}/dataqatests/{dataqa_test_id}/severity", {
        params: { path: { data_entity_id: dataset, dataqa_test_id: test.id } },
        body: { severity },
      }),
    onSuccess: (_, { severity, undo }) =>
      toast(t("quality.testIsSevere", { test: test.external_name ?? "", severity }), {
        undo: undo ? undefined : () => set.mutate({ severity: now, undo: true }),
      }),
    onError: (error) =>
      toast(t("quality.couldNotChangeTheSeverity"), {
        tone: "bad",
        about: [...messagesByField(error).values()].join("; "),
      }),
    onSettled: () => refresh(queries, "/api/datasets/{data_entity_id}/"),
  });
  if (!canSet) return <>{words(now)}</>;
  return (
    <div className={styles.severity}>
      <SelectField
        label={t("quality.severityOf", { test: test.external_name ?? "" })}
        hideLabel
        // What was chosen is shown at once, and taken back if it is refused.
        value={set.isPending ? set.variables.severity : now}
        options={levels.map((level) => [level, words(level)] as const)}
        onChange={({ target }) => set.mutate({ severity: target.value as Level })}
      />
    </div>
  );
}
