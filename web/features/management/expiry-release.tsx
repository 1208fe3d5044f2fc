import { CodeBlock } from "#web/kit/code.tsx";
import { count } from "#web/kit/numbers.ts";
import styles from "#web/features/management/expiry.module.css";
import { t } from "#web/messages/text.ts";

/** Whether a shell takes it as it is: a CATRN is a collector's word, and a command is copied. */
function isPlain(catrn: string): boolean {
  return /^[\w/.:@%+=,~-]+$/.test(catrn);
}

/** How the fuse is released. */
export function ExpiryRelease({ stale, catrn }: { stale: number; catrn: string }) {
  const plain = isPlain(catrn);
  return (
    <section className={styles.stack}>
      <h3>{t("management.howToReleaseIt")}</h3>
      <ol className={styles.steps}>
        <li>{t("management.checkBelowWhetherTheseAssets")}</li>
        <li>
          {t("management.ifTheyAreNotFix")}
        </li>
        <li>
          {plain ? t("management.approveThem") : t("management.approveThemQuoted")}
        </li>
      </ol>
      <CodeBlock
        text={`npm run stale -- approve --count ${stale} --source '${plain ? catrn : "…"}'`}
        what={t("management.command")}
      />
      <p className="soft">
        {t("management.approvalCounts", { count: count(stale) })}
      </p>
    </section>
  );
}
