import { X } from "lucide-react";
import {
  Component,
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useState,
  useSyncExternalStore,
} from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import styles from "#web/kit/toast.module.css";
import { loadRest } from "#web/messages/load.ts";
import { t } from "#web/messages/text.ts";

/**
 * A part of a screen that is loaded when it is first shown. Until then, and where it does not arrive, `waiting` stands in its
 * place; that it is missing is said next to the page, which stays as it is. The next time that it is shown it is requested again.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode | ((props: P) => ReactNode) = null,
): (props: P) => ReactNode {
  const make = () =>
    lazy(() =>
      Promise.all([load(), loadRest()]).then(([loaded]) => ({ default: loaded }), (cause) => {
        next = make();
        throw new ChunkLoadError(cause);
      })
    );
  let next: LazyExoticComponent<ComponentType<P>> = make();
  return function Part(props: P) {
    const [Loaded] = useState(() => next);
    const instead = typeof waiting === "function" ? waiting(props) : waiting;
    return (
      <Boundary instead={instead}>
        <Suspense fallback={instead}>
          <Loaded {...props as P & JSX} />
        </Suspense>
      </Boundary>
    );
  };
}

// What a lazy component takes besides its own properties, which has no name of its own.
type JSX = object & Parameters<LazyExoticComponent<ComponentType<object>>>[0];

/** Keeps a part that did not arrive from taking away what is around it; other errors propagate. */
class Boundary extends Component<{ instead: ReactNode; children: ReactNode }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof ChunkLoadError) notePartMissing(true);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof ChunkLoadError) return this.props.instead;
    throw error;
  }
}

/** A file of the interface that did not arrive: the service is away, or an upgrade has taken it away. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    // deno-lint-ignore house/interface-text -- an error for developers
    super("A part of the interface could not be loaded", { cause });
  }
}

/** Says that a part of what is shown is missing; the page stays, so that nothing that was typed is lost unasked. */
export function MissingNotice() {
  const missing = useSyncExternalStore(subscribeToMissing, isPartMissing);
  const [away, setAway] = useState(false);
  if (!missing) return null;
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.text}>
        <strong>{t("kit.aPartOfTheInterface")}</strong>
        <div className={styles.about}>
          {away ? t("kit.theServerDoesNotRespond") : t("kit.theServerIsUnreachableOr")}
        </div>
      </div>
      <Button small onClick={async () => setAway(!await reloadIfThere())}>{t("kit.reload")}</Button>
      <IconButton label={t("kit.dismiss")} small onClick={() => notePartMissing(false)}>
        <X />
      </IconButton>
    </div>
  );
}

const listeners = new Set<() => void>();
let isMissing = false;

/** Whether a part of what is shown did not arrive, and nobody has put the notice away since. */
const isPartMissing = (): boolean => isMissing;

/** Shows or puts away the notice that a part of what is shown is missing. */
export function notePartMissing(now: boolean): void {
  isMissing = now;
  listeners.forEach((listener) => listener());
}

function subscribeToMissing(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** When the tab was last loaded again, in the storage of the session. */
const reloadedKey = "tributary.reloaded";

/**
 * Loads a tab again that was open during an upgrade and asks for files that are gone; once a minute, as a second failure
 * has another cause. Not while the service is away: the browser would show its own error in place of everything.
 */
export async function reloadAfterUpgrade(): Promise<void> {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last > 60_000) await reloadIfThere();
}

/** Loads the tab again if the service answers; whether it does. */
export async function reloadIfThere(): Promise<boolean> {
  const there = await fetch("api/appInfo", { cache: "no-store" })
    .then(({ status }) => status < 500, () => false);
  if (!there) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return true;
}
