import { useQueryClient } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type PathOf, refresh } from "#web/api/client.ts";
import { usePages } from "#web/api/pages.ts";
import { type InfiniteQuery, PagedTable } from "#web/components/paged-table.tsx";
import styles from "#web/features/management/management.module.css";
import { Button, IconButton } from "#web/kit/button.tsx";
import { Confirm } from "#web/kit/dialog.tsx";
import { SearchField, TextField } from "#web/kit/field.tsx";
import { FormDialog, type FormFields, useForm } from "#web/kit/form.tsx";
import { inSentence } from "#web/kit/numbers.ts";
import { Card, Page, pageStyles, Toolbar } from "#web/kit/page.tsx";
import { useListSearch } from "#web/kit/search-params.ts";
import { Empty } from "#web/kit/states.tsx";
import { actionsColumn, type Column } from "#web/kit/table.tsx";
import { toast } from "#web/kit/toast.ts";
import { t } from "#web/messages/text.ts";

/** A list that is found by names: its pages, and what it is searched for. */
export function useManaged<P extends PathOf<"get">>(path: P) {
  const search = useListSearch();
  return { search, of: usePages(path, { query: { query: search.query } } as never) };
}

/** What is managed, by which messages choose their words. */
export type Managed =
  | "collector"
  | "connection"
  | "dataSource"
  | "namespace"
  | "owner"
  | "policy"
  | "role"
  | "tag"
  | "title"
  | "token";

interface ManagedItem {
  id: number;
  name: string;
}

interface ManagedListProps<Row extends ManagedItem> {
  title: string;
  about: ReactNode;
  what: Managed;
  /** Absent where names cannot be looked for. */
  search?: ReturnType<typeof useListSearch>;
  of: InfiniteQuery<Row>;
  columns: Column<Row>[];
  /** Controls next to the search. */
  controls?: ReactNode;
  /** The form of a new one, or of one that is changed. */
  form?: (close: () => void, row?: Row) => ReactNode;
  canCreate?: boolean;
  /** Shows the form of a new one, where that is not `form`. */
  onCreate?: () => void;
  canEdit?: (row: Row) => boolean;
  /** Further buttons of a row. */
  actions?: (row: Row) => ReactNode;
  remove?: {
    can: (row: Row) => boolean;
    send: (row: Row) => Promise<unknown>;
    /** What goes with it, or what keeps it from being deleted. */
    about: (row: Row) => ReactNode;
    /** Paths whose answers are old then. */
    touches: string[];
  };
  /** Why there is none, and what they are for. */
  empty: ReactNode;
}

/** A list of things with a name that managers make, change and delete; each kind brings its columns and its form. */
export function ManagedList<Row extends ManagedItem>(props: ManagedListProps<Row>) {
  const { title, about, what, search, of, columns, form, canCreate, onCreate, controls, empty } =
    props;
  const [open, setOpen] = useState<{ row?: Row }>();
  const [going, setGoing] = useState<Row>();
  const close = () => setOpen(undefined);
  const create = canCreate && (
    <Button variant="primary" onClick={onCreate ?? (() => setOpen({}))}>
      <Plus /> {t("management.newOf", { what })}
    </Button>
  );
  const buttons = actionsColumn((row: Row) => (
    <Buttons
      {...props}
      row={row}
      onEdit={() => setOpen({ row })}
      onRemove={() => setGoing(row)}
    />
  ));
  return (
    <Page title={title} about={about} actions={create}>
      <Toolbar>
        {search && (
          <SearchField
            label={t("management.findIn", { title: inSentence(title) })}
            {...search.field}
            className={pageStyles.grow}
          />
        )}
        {controls}
      </Toolbar>
      <Card flush>
        <PagedTable<Row>
          of={of}
          label={title}
          columns={props.actions || form || props.remove ? [...columns, buttons] : columns}
          empty={search?.query
            ? <NoMatch what={what} query={search.query} />
            : <Empty title={t("management.noneYet")} action={create}>{empty}</Empty>}
        />
      </Card>
      {open && form?.(close, open.row)}
      {props.remove && (
        <Removal
          {...props}
          remove={props.remove}
          row={going}
          onClose={() => setGoing(undefined)}
        />
      )}
    </Page>
  );
}

function NoMatch({ what, query }: { what: Managed; query: string }) {
  return (
    <Empty title={t("management.nothingMatches")}>
      {t("management.noHasInItsName", { what, query })}
    </Empty>
  );
}

function Buttons<Row extends ManagedItem>(
  { row, form, canEdit, remove, actions, onEdit, onRemove }: ManagedListProps<Row> & {
    row: Row;
    onEdit: () => void;
    onRemove: () => void;
  },
) {
  return (
    <div className={styles.buttons}>
      {actions?.(row)}
      {form && canEdit?.(row) && (
        <IconButton label={t("management.edit", { name: row.name })} small onClick={onEdit}>
          <Pencil />
        </IconButton>
      )}
      {remove?.can(row) && (
        <IconButton label={t("management.delete2", { name: row.name })} small onClick={onRemove}>
          <Trash2 />
        </IconButton>
      )}
    </div>
  );
}

function Removal<Row extends ManagedItem>(
  { what, remove, row, onClose }: Pick<ManagedListProps<Row>, "what"> & {
    remove: NonNullable<ManagedListProps<Row>["remove"]>;
    row: Row | undefined;
    onClose: () => void;
  },
) {
  const queries = useQueryClient();
  if (!row) return null;
  const send = async () => {
    await remove.send(row);
    toast(t("management.isDeleted", { name: row.name }));
    await refresh(queries, ...remove.touches);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t("management.delete", { name: row.name })}
      action={t("management.deleteThe", { what })}
      onConfirm={send}
    >
      {remove.about(row)}
    </Confirm>
  );
}

/** The form of something that has a name, and what `children` add to it. */
export function NameDialog<Result>(
  { what, initial, isNew, send, touches, onDone, onClose, wide, children }: {
    what: Managed;
    /** The name that it has, or that is proposed. */
    initial?: string;
    isNew: boolean;
    send: (name: string) => Promise<Result>;
    /** Paths whose answers are old then. */
    touches: string[];
    onDone?: (result: Result) => void;
    onClose: () => void;
    wide?: boolean;
    children?: (form: FormFields) => ReactNode;
  },
) {
  const [name, setName] = useState(initial ?? "");
  const queries = useQueryClient();
  const form = useForm(send, async (result) => {
    onClose();
    toast(
      isNew
        ? t("management.createdNamed", { name: name.trim() })
        : t("management.savedNamed", { name: name.trim() }),
    );
    onDone?.(result);
    await refresh(queries, ...touches);
  });
  return (
    <FormDialog
      title={isNew
        ? t("management.newOf", { what })
        : t("management.change", { initial: initial ?? "" })}
      save={isNew ? t("kit.create") : t("kit.save")}
      form={form}
      wide={wide}
      onClose={onClose}
      onSave={() => form.submit(name.trim())}
    >
      <TextField label={t("kit.name")} autoFocus {...form.field("name", name, setName)} />
      {children?.(form)}
    </FormDialog>
  );
}
