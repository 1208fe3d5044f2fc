import { Combobox as Base } from "@base-ui/react/combobox";
import { type ReactNode, useState } from "react";
import { Field, type FieldProps, useReachable } from "#web/kit/field.tsx";
import styles from "#web/kit/overlay.module.css";
import { t } from "#web/messages/text.ts";

interface ComboboxProps<Item> extends FieldProps {
  /** What matches the text; the caller asks for it as the text changes. */
  items: Item[];
  textOf: (item: Item) => string;
  keyOf: (item: Item) => string | number;
  value: Item | null;
  onValue: (item: Item | null) => void;
  /** Text as it is typed. */
  onText: (text: string) => void;
  placeholder?: string;
  /** Shown when nothing matches. */
  empty?: ReactNode;
  show?: (item: Item) => ReactNode;
  autoFocus?: boolean;
}

/** One of many, found by typing. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const {
    items,
    textOf,
    keyOf,
    value,
    onValue,
    onText,
    placeholder,
    empty = t("kit.nothingFound"),
    show,
    autoFocus,
  } = props;
  const [open, setOpen] = useState(false);
  const input = useReachable(open);
  return (
    <Base.Root
      items={items}
      open={open}
      onOpenChange={setOpen}
      filter={null}
      value={value}
      onValueChange={(item) => onValue(item as Item | null)}
      onInputValueChange={onText}
      itemToStringLabel={textOf}
      isItemEqualToValue={(a, b) => keyOf(a) === keyOf(b)}
    >
      <Field {...props}>
        {(control) => (
          <Base.Input {...control} ref={input} placeholder={placeholder} autoFocus={autoFocus} />
        )}
      </Field>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="start">
          <Base.Popup className={styles.popup}>
            <Base.Empty className={styles.grouplabel}>
              {items.length === 0 ? empty : null}
            </Base.Empty>
            <Base.List>
              {(item: Item) => (
                <Base.Item key={keyOf(item)} value={item} className={styles.item}>
                  {show ? show(item) : <span className="truncate">{textOf(item)}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
