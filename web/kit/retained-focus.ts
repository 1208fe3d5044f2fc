/** Where the focus may come to rest when what had it goes away, from the inside outwards. */
const positions = "section,form,aside,[role=dialog],[tabindex],main";

/**
 * Keeps the focus near where it was when what had it goes away: an editor that is closed, a row that is deleted, a button
 * that waits for its work. Left alone, it falls to the start of the page, and the next Tab with it. `last`: what had it last,
 * and may have lost it by now. Returns what ends it.
 */
export function keepFocus(last: Element | null): () => void {
  const watch = new FocusWatch();
  if (last && last !== document.body) watch.came({ target: last });
  watch.check();
  addEventListener("focusin", watch.came);
  addEventListener("focusout", watch.left);
  const observer = new MutationObserver(watch.check);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
  return () => {
    observer.disconnect();
    removeEventListener("focusin", watch.came);
    removeEventListener("focusout", watch.left);
  };
}

class FocusWatch {
  /** What has the focus, and all that it stands in. */
  #path: HTMLElement[] = [];
  /** The same of what had it last on the screen itself: of a menu, what opened it. */
  #onScreen: HTMLElement[] = [];
  #observer = false;

  came = ({ target }: Pick<FocusEvent, "target">) => {
    this.#path = [];
    for (let at = target as HTMLElement; at !== document.body && at; at = at.parentElement!) {
      this.#path.push(at);
    }
    if (this.#path.some((one) => one.matches("main"))) this.#onScreen = this.#path;
  };

  /** A click outside of all controls is a deliberate blur; an element that is removed or disabled is not. */
  left = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget) return;
    queueMicrotask(() => {
      const is = target === this.#path[0] && (target as HTMLElement).isConnected;
      if (is && !(target as HTMLElement).matches(":disabled")) this.#path = this.#onScreen = [];
    });
  };

  check = () => {
    if (!this.#path[0] || this.#observer || document.activeElement !== document.body) return;
    this.#observer = true;
    // A dialog or a menu that closes puts the focus back itself, within a frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#observer = false;
        if (document.activeElement === document.body) this.#restore();
      })
    );
  };

  #restore(): void {
    const near = [...this.#path, ...this.#onScreen].find((one) => one.isConnected);
    // What is busy has it again when its work is done.
    if (near?.matches(":disabled")) return;
    const place = near && near.tabIndex >= 0 ? near : near?.closest<HTMLElement>(positions);
    const element = place ?? document.querySelector<HTMLElement>("main");
    if (!element) return;
    if (element.tabIndex < 0) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}
