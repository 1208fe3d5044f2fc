import type { Schema } from "#web/api/client.ts";
import { words } from "#web/kit/numbers.ts";
import styles from "#web/features/quality/quality.module.css";
import { t } from "#web/messages/text.ts";

/** Further details of a run from its source, collapsed by default. */
export function RunMetadata({ of: { metadata } }: { of: Schema<"DataEntityRun"> }) {
  const values = Object.entries(metadata ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
  if (values.length === 0) return null;
  return (
    <details>
      <summary className="soft">{t("quality.detailCount", { count: values.length })}</summary>
      <dl className={styles.metadata}>
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd className="foreign">{shown(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Lists are texts of JSON: an entry a line. */
function shown(value: string): string {
  if (!value.startsWith("[")) return value;
  try {
    const list: unknown = JSON.parse(value);
    const texts = Array.isArray(list) && list.every((each) => typeof each === "string");
    return texts ? list.join("\n") : value;
  } catch {
    return value;
  }
}
