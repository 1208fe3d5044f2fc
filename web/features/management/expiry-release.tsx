import { CodeBlock } from "#web/kit/code.tsx";
import { count } from "#web/kit/numbers.ts";
import styles from "#web/features/management/expiry.module.css";

/** Whether a shell takes it as it is: a CATRN is a collector's word, and a command is copied. */
function isPlain(catrn: string): boolean {
  return /^[\w/.:@%+=,~-]+$/.test(catrn);
}

/** How the fuse is released. */
export function ExpiryRelease({ stale, catrn }: { stale: number; catrn: string }) {
  const plain = isPlain(catrn);
  return (
    <section className={styles.stack}>
      <h3>How to release it</h3>
      <ol className={styles.steps}>
        <li>Check below whether these assets are really gone from the source.</li>
        <li>
          If they are not, fix the collector: once it reports them again, they are no longer stale.
        </li>
        <li>
          If they are, approve the number where the service runs
          {plain ? ":" : ", with the CATRN of this source in quotes:"}
        </li>
      </ol>
      <CodeBlock
        text={`npm run stale -- approve --count ${stale} --source '${plain ? catrn : "…"}'`}
        what="command"
      />
      <p className="soft">
        The approval counts for a day, and as long as there are still {count(stale)}{" "}
        of them within a tenth. The next sweep takes them.
      </p>
    </section>
  );
}
