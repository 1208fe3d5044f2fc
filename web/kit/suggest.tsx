import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import { type ReactNode, useState } from "react";
import { Field, type FieldProps, useReachable } from "#web/kit/field.tsx";
import overlay from "#web/kit/overlay.module.css";

export interface SuggestFieldProps extends FieldProps {
  value: string;
  onValue: (value: string) => void;
  /** What is known and goes with the text; the caller asks for it as the text changes. */
  items: string[];
  /** More about an item, next to it. */
  about?: (item: string) => ReactNode;
  /** Enter where no suggestion is chosen. */
  onEnter?: () => void;
  /** A suggestion is taken; without it, it becomes the text. */
  onPick?: (item: string) => void;
  placeholder?: string;
  autoFocus?: boolean;
}

/** A text of any kind with what is known already as suggestions: for names that are made if they are new. */
export function SuggestField(props: SuggestFieldProps) {
  const { value, onValue, items, about, onEnter, onPick, placeholder, autoFocus } = props;
  // An empty list stays closed.
  const [wanted, setOpen] = useState(false);
  const open = wanted && items.length > 0;
  const input = useReachable(open);
  return (
    <Base.Root
      items={items}
      filter={null}
      mode="none"
      value={value}
      openOnInputClick
      open={open}
      onOpenChange={setOpen}
      onValueChange={(text, { reason }) =>
        reason === "item-press" && onPick ? onPick(text) : onValue(text)}
    >
      <Field {...props}>
        {(control) => (
          <Base.Input
            {...control}
            ref={input}
            placeholder={placeholder}
            autoFocus={autoFocus}
            // What is not shown is not closed by leaving, and would open when its items come.
            onBlur={() => open || setOpen(false)}
            onKeyDown={(event) => {
              const chosen = event.currentTarget.getAttribute("aria-activedescendant");
              if (event.key !== "Enter" || chosen || !onEnter) return;
              event.preventDefault();
              setOpen(false);
              onEnter();
            }}
          />
        )}
      </Field>
      <Base.Portal>
        <Base.Positioner className={overlay.positioner} sideOffset={4} align="start">
          <Base.Popup className={overlay.popup}>
            <Base.List>
              {(item: string) => (
                <Base.Item key={item} value={item} className={overlay.item}>
                  <span className="truncate">{item}</span>
                  {about?.(item)}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
