import { Fragment } from "react";
import styles from "#web/kit/keys.module.css";

/** Keys and what they do. */
export type KeyHint = readonly [keys: string, does: string];

/** Says which keys work here: `j k` are two. Nothing where there are no keys to press. */
export function Keys({ of }: { of: readonly KeyHint[] }) {
  return (
    <span className={styles.keys}>
      {of.map(([keys, does], at) => (
        <Fragment key={keys}>
          {at > 0 && " · "}
          {keys.split(" ").map((key) => [<kbd key={key}>{key}</kbd>, " "])}
          {does}
        </Fragment>
      ))}
    </span>
  );
}
