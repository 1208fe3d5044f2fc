import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, type Schema } from "#web/api/client.ts";
import { CodeBlock } from "#web/kit/code.tsx";
import { Combobox } from "#web/kit/combobox.tsx";
import { useForm } from "#web/kit/form.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { FormDialog } from "#web/kit/form-dialog.tsx";
import {
  type Example,
  linkEntity,
  titleOf,
  useExamplesChanged,
} from "#web/features/query-examples/examples.ts";
import { t } from "#web/messages/text.ts";

type Ref = Schema<"QueryExampleRef">;

/** Attaches an example that there is already to a data entity. */
export function LinkDialog(
  { entity, known, onClose }: { entity: number; known: Example[]; onClose: () => void },
) {
  const [chosen, setChosen] = useState<Ref | null>(null);
  const changed = useExamplesChanged();
  const form = useForm(async (id: number) => {
    await linkEntity(entity, id);
    await changed();
  }, onClose);
  return (
    <FormDialog
      title={t("query-examples.linkAQueryExample")}
      save={t("kit.link")}
      form={form}
      wide
      disabled={!chosen}
      onSave={() => chosen && form.submit(chosen.id)}
      onClose={onClose}
    >
      <ExamplePicker
        value={chosen}
        onValue={setChosen}
        without={known.map(({ id }) => id)}
        error={form.errorOf("query_example_id")}
      />
      {chosen && <CodeBlock text={chosen.query} what={t("query-examples.query")} />}
    </FormDialog>
  );
}

/** The first ones of all, and what goes with the words that are typed. */
function ExamplePicker(
  { value, onValue, without, error }: {
    value: Ref | null;
    onValue: (value: Ref | null) => void;
    without: number[];
    error?: string;
  },
) {
  const [text, setText] = useState("");
  const query = useDebounced(text.trim());
  const first = useQuery(read("/api/queryexample", { params: { query: { page: 1, size: 20 } } }));
  const found = useQuery({
    ...read("/api/queryexample/search/suggestions", { params: { query: { query } } }),
    enabled: query !== "",
  });
  const items = (query === "" ? first : found).data?.items ?? [];
  return (
    <Combobox
      label={t("query-examples.queryExample")}
      autoFocus
      items={items.filter(({ id }) => !without.includes(id))}
      textOf={titleOf}
      keyOf={({ id }) => id}
      value={value}
      onValue={onValue}
      onText={setText}
      error={error}
      placeholder={t("query-examples.searchByPurposeOrQuery")}
      empty={query === "" ? t("query-examples.noMoreResults") : t("kit.noResults")}
    />
  );
}
