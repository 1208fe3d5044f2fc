import { useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type ReactNode, useId } from "react";
import { refresh } from "#web/api/client.ts";
import { IconButton } from "#web/kit/button.tsx";
import styles from "#web/features/structure/structure.module.css";

/** A section of the details of a field. */
export function Section(
  { title, action, children }: { title: string; action?: ReactNode; children: ReactNode },
) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}

export function EditButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconButton small label={label} onClick={onClick}>
      <Pencil />
    </IconButton>
  );
}

/** Reloads queries about fields after one was changed. */
export function useFieldChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    refresh(
      queries,
      "/api/datasets/{data_entity_id}/structure",
      "/api/datasetfields",
      "/api/dataentities/{data_entity_id}/activity",
      "/api/activity",
      "/api/terms",
    );
}
