import type { Schema } from "#web/api/client.ts";
import { EntityLink } from "#web/components/entity-link.tsx";
import styles from "#web/features/home/home.module.css";

/** Entities below each other. */
export function EntityList({ of }: { of: Schema<"DataEntityRef">[] }) {
  return (
    <ul className={styles.entities}>
      {of.map((one) => (
        <li key={one.id}>
          <EntityLink of={one} />
        </li>
      ))}
    </ul>
  );
}
