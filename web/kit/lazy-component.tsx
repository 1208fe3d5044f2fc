import {
  Component,
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { ChunkLoadError, notePartMissing } from "#web/kit/chunk-load-error.ts";
import { loadRest } from "#web/messages/load.ts";

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
