import { Link, type LinkComponentProps, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "#web/kit/classes.ts";
import skipStyles from "#web/kit/skip.module.css";
import styles from "#web/kit/page.module.css";

export { styles as pageStyles };

interface PageProps {
  /** Also the title of the browser's tab. */
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Uses all the width, as lineage does. */
  full?: boolean;
  children: ReactNode;
}

/** A screen: its title, what can be done with it, and the rest. */
export function Page({ title, about, actions, full, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes(styles.page, full && styles.full)}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1 className="foreign">{title}</h1>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Names the browser's tab while it is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    // deno-lint-ignore house/interface-text -- the name of the product
    document.title = `${title.slice(0, 120)} · Tributary`;
  }, [title]);
}

/** A part of a screen under a heading; `flush` where a table fills it to the edge. */
export function Card(
  { title, actions, flush, children }: {
    title?: string;
    actions?: ReactNode;
    flush?: boolean;
    children: ReactNode;
  },
) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={styles.cardhead}>
          <h2 id={id}>{title}</h2>
          {actions}
        </header>
      )}
      <div className={classes(styles.cardbody, flush && styles.flush)}>{children}</div>
    </section>
  );
}

/** Main column and a narrow one, below each other on small screens. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div>{main}</div>
      <div>{side}</div>
    </div>
  );
}

/** Tabs that are places of their own: links. Where not all fit, the current one is scrolled into view. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const list = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (tab) list.current!.scrollLeft = tab.offsetLeft - list.current!.offsetLeft - 24;
  }, [path]);
  return <nav ref={list} className={styles.tabs} aria-label={label}>{children}</nav>;
}

/** One tab. */
export function Tab({ to, params, children }: TabProps) {
  return (
    <Link
      to={to}
      params={params as never}
      className={styles.tab}
      activeOptions={{ exact: true, includeSearch: false }}
    >
      {children}
    </Link>
  );
}

interface TabProps extends Pick<LinkComponentProps, "to"> {
  params?: Record<string, string>;
  children: ReactNode;
}

/** Controls above a list. A child with the class `pageStyles.grow` takes the room that is left. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}

/** Names and values. */
export function Facts(
  { of }: { of: (readonly [name: string, value: ReactNode] | false | null | undefined)[] },
) {
  return (
    <dl className={styles.facts}>
      {of.map((one) =>
        one && (
          <div key={one[0]} style={{ display: "contents" }}>
            <dt>{one[0]}</dt>
            <dd>{one[1]}</dd>
          </div>
        )
      )}
    </dl>
  );
}

/** A link that shows when it has the focus, and moves it past what stands between. `to` is an id. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      className={skipStyles.skip}
      href={`#${to}`}
      onClick={(event) => {
        // The address belongs to the screen: by itself the link would lead to the start of the interface.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>
  );
}

/** Id of the part of a screen that its tabs change. */
export const panelId = "panel";

/** The part of a screen that its tabs, or the places at its side, change: it takes the focus when another one is chosen. */
export function Panel({ children }: { children: ReactNode }) {
  return <div id={panelId} tabIndex={-1} className={skipStyles.panel}>{children}</div>;
}
