/** How long keys are held for a box that does not come. */
const longestMs = 5_000;

/** What is typed meanwhile, and how to get it; null while nothing is held. */
let buffered: { text: string; end: () => void } | null = null;

/**
 * Holds what is typed from the key that opens a box until the box has the focus and takes it: nothing of it is lost while the
 * box is loaded, and no letter of it is a shortcut of the screen below.
 */
export function bufferKeys(): void {
  buffered?.end();
  const pressed = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || key === "Tab") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === "Escape") return now.end();
    if (key === "Backspace") now.text = now.text.slice(0, -1);
    else if (key.length === 1) now.text += key;
  };
  const now = {
    text: "",
    end: () => {
      clearTimeout(timer);
      removeEventListener("keydown", pressed, true);
      if (buffered === now) buffered = null;
    },
  };
  const timer = setTimeout(now.end, longestMs);
  addEventListener("keydown", pressed, true);
  buffered = now;
}

/** What was typed meanwhile; from now on keys go where the focus is. */
export function bufferedKeys(): string {
  const text = buffered?.text ?? "";
  buffered?.end();
  return text;
}
