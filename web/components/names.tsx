import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import type { FieldProps } from "#web/kit/field.tsx";
import { SuggestField, type SuggestFieldProps } from "#web/kit/suggest.tsx";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { t } from "#web/messages/text.ts";

type NameFieldProps =
  & Partial<FieldProps>
  & Pick<SuggestFieldProps, "value" | "onValue" | "onEnter" | "onPick" | "autoFocus">;

const some = { page: 1, size: 8 };

/** The name of a namespace, new ones as well. */
export function NamespaceField(props: NameFieldProps) {
  const query = useDebounced(props.value.trim());
  const { data } = useQuery(read("/api/namespaces", { params: { query: { ...some, query } } }));
  return <NameField label={t("kit.namespace")} {...props} items={data?.items} />;
}

/** The name of a tag, new ones as well. */
export function TagField(props: NameFieldProps) {
  const query = useDebounced(props.value.trim());
  const { data } = useQuery(read("/api/tags", { params: { query: { ...some, query } } }));
  return <NameField label={t("components.tag")} {...props} items={data?.items} />;
}

function NameField(
  { items, ...props }: NameFieldProps & { label: string; items: { name: string }[] | undefined },
) {
  return <SuggestField {...props} items={(items ?? []).map(({ name }) => name)} />;
}
