import { CopyButton } from "#web/kit/copy.tsx";
import styles from "#web/kit/code.module.css";

/** Text of a machine, such as a query: as it is written, to be copied. `what` names it. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles.block}>
      <pre className={styles.text} tabIndex={0} aria-label={what}>{text}</pre>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}
