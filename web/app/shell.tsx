import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Link, Outlet, useRouterState } from "@tanstack/react-router";
import { CircleUser, Menu, Search } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ask } from "#web/api/client.ts";
import { onSignedOut } from "#web/api/queries.ts";
import { LiveProvider, useLiveState } from "#web/components/live.tsx";
import { errorsOf, useOverallState } from "#web/components/overall-state.ts";
import { useAppInfo, useIdentity, useViewedUser } from "#web/components/permissions.ts";
import { Button, IconButton } from "#web/kit/button.tsx";
import { classes } from "#web/kit/classes.ts";
import { Page, panelId, SkipLink } from "#web/kit/page.tsx";
import { bufferKeys, useShortcuts } from "#web/kit/shortcuts.ts";
import { Empty, Failure } from "#web/kit/states.tsx";
import {
  ChunkLoadError,
  lazyComponent,
  MissingNotice,
  reloadAfterUpgrade,
  reloadIfThere,
} from "#web/kit/lazy-component.tsx";
import { t } from "#web/messages/text.ts";
// Styles of the frame come after those of its parts.
import { Navigation } from "#web/app/navigation.tsx";
import styles from "#web/app/shell.module.css";

/** What every route can use. */
interface RouteContext {
  queries: QueryClient;
}

export const root = createRootRouteWithContext<RouteContext>()({
  component: Shell,
  notFoundComponent: () => (
    <Page title={t("app.pageNotFound")}>{t("app.checkTheAddressOrUse")}</Page>
  ),
  errorComponent: FailedScreen,
});

export function FailedScreen({ error, reset }: { error: unknown; reset: () => void }) {
  if (error instanceof ChunkLoadError) return <Missing error={error} />;
  return (
    <Page title={t("app.somethingWentWrongOnThis")}>
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}

/** A screen whose file did not arrive. */
function Missing({ error }: { error: ChunkLoadError }) {
  useEffect(() => void reloadAfterUpgrade(), [error]);
  const live = useLiveState();
  const wasLost = useRef(false);
  useEffect(() => {
    if (live === "live" && wasLost.current) void reloadIfThere();
    wasLost.current = live === "lost";
  }, [live]);
  return (
    <Page title={t("app.couldNotLoadThisPage")}>
      <Empty
        title={t("kit.aPartOfTheInterface")}
        action={<Button onClick={() => void reloadIfThere()}>{t("kit.tryAgain")}</Button>}
      >
        {t("app.theServerIsUnreachableOr")}
      </Empty>
    </Page>
  );
}

const loadUserMenu = () => import("#web/app/user-menu.tsx").then((all) => all.default);
const UserMenu = lazyComponent(loadUserMenu);
const Drawer = lazyComponent(() => import("#web/app/drawer.tsx").then((all) => all.default));
const KeysDialog = lazyComponent(() =>
  import("#web/app/keys-dialog.tsx").then((all) => all.default)
);
const Palette = lazyComponent(() => import("#web/app/palette.tsx").then((all) => all.default));
const SessionDialog = lazyComponent(() =>
  import("#web/app/session-dialog.tsx").then((all) => all.default)
);
const ViewedAs = lazyComponent(() => import("#web/app/viewed-as.tsx").then((all) => all.default));

/** What is around every screen: navigation, the box for everything, who is signed in. */
function Shell() {
  // Each opening is another one, so that what did not arrive is requested again.
  const [palette, setPalette] = useState(0);
  const find = useCallback(() => {
    bufferKeys();
    setPalette((opened) => opened + 1);
  }, []);
  const [help, setHelp] = useState(0);
  const showKeys = useCallback(() => setHelp((opened) => opened + 1), []);
  const viewed = useViewedUser();
  const [drawer, setDrawer] = useState(false);
  const keys = useMemo(() => ({ "mod+k": find, "?": showKeys }), [find, showKeys]);
  useShortcuts(keys);
  useEffect(keepFocus, []);
  return (
    <LiveProvider>
      <SkipLink to="content">{t("app.skipToContent")}</SkipLink>
      <div className={styles.frame}>
        <Navigation />
        <div className={styles.main}>
          <header className={styles.top}>
            <IconButton
              label={t("app.navigation")}
              className={styles.menu}
              aria-haspopup="dialog"
              onClick={() => setDrawer(true)}
            >
              <Menu />
            </IconButton>
            <button type="button" className={styles.find} onClick={find}>
              <Search aria-hidden />
              <span className="truncate">{t("app.searchOrJumpTo")}</span>
              <kbd>Ctrl K</kbd>
            </button>
            <span className={styles.room} />
            <LiveMark />
            <UserButton onKeys={showKeys} />
          </header>
          {viewed && <ViewedAs user={viewed} />}
          <Content />
        </div>
      </div>
      {palette > 0 && <Palette key={palette} onClose={() => setPalette(0)} />}
      {drawer && <Drawer onClose={() => setDrawer(false)} />}
      {help > 0 && <KeysDialog key={help} onClose={() => setHelp(0)} />}
      <SessionEnded />
      <MissingNotice />
    </LiveProvider>
  );
}

/**
 * The screen itself. It takes the focus when another one is shown, so that its title is read out; of a screen with tabs, the
 * part below them does, so that one need not go past them again. A box to type into that has taken it keeps it.
 */
function Content() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const before = useRef<string>(undefined);
  useEffect(() => {
    // deno-lint-ignore house/interface-text -- a selector
    const typed = document.activeElement?.matches("main input");
    if (before.current !== undefined && !typed) {
      const panel = above(path) === above(before.current) && document.getElementById(panelId);
      (panel || main.current)?.focus({ preventScroll: true });
    }
    before.current = path;
  }, [path]);
  return (
    <main id="content" ref={main} tabIndex={-1} className={styles.content}>
      <Outlet />
    </main>
  );
}

const above = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** Watches the focus, by code that is loaded once the screen is there; what had it until then is passed on. */
function keepFocus(): () => void {
  let last = document.activeElement;
  const came = ({ target }: FocusEvent) => void (last = target as Element);
  addEventListener("focusin", came);
  const watching = import("#web/kit/retained-focus.ts").then(
    (all) => all.keepFocus(last),
    () => () => {},
  ).finally(() => removeEventListener("focusin", came));
  return () => void watching.then((end) => end());
}

/** Whether what is shown follows what happens, and whether the instance works. */
function LiveMark() {
  const state = useLiveState();
  const overall = useOverallState();
  const errors = overall ? errorsOf(overall) : 0;
  if (state === "connecting") return null;
  if (state === "live" && errors > 0) {
    return (
      <Link
        to="/operations"
        className={classes(styles.live, styles.failing)}
        title={overall?.problems[0] &&
          `${overall.problems[0].subject}: ${overall.problems[0].message}`}
      >
        <span className={styles.dot} />
        {t("app.liveErrors", { count: errors })}
      </Link>
    );
  }
  return (
    <span
      className={classes(styles.live, state === "lost" && styles.lost)}
      role="status"
      title={state === "live"
        ? t("app.updatesAppearAutomatically")
        : t("app.connectionLostReconnecting")}
    >
      <span className={styles.dot} />
      {state === "live" ? t("app.live") : t("app.reconnecting")}
    </span>
  );
}

/** Who is signed in. The menu below it is loaded when somebody is about to open it: the screen comes first. */
function UserButton({ onKeys }: { onKeys: () => void }) {
  const without = useAppInfo().data?.authType === "DISABLED";
  const name = useIdentity().data?.identity?.username;
  const label = name && !without ? t("app.signedInAs", { name }) : t("app.settings");
  const [open, setOpen] = useState(false);
  // Each opening is another one, so that what did not arrive is requested again.
  const [opened, setOpened] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  // A press outside closes the menu before the click comes.
  const pressedOpen = useRef(false);
  const toggle = (next: boolean) => {
    setOpen(next);
    if (next) setOpened((before) => before + 1);
  };
  const soon = () => void loadUserMenu().catch(() => {});
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={soon}
        onFocus={soon}
        onPointerDown={() => pressedOpen.current = open}
        onClick={({ detail }) => toggle(detail === 0 || !pressedOpen.current)}
        onKeyDown={({ key }) => key === "ArrowDown" && toggle(true)}
      >
        <CircleUser />
        {!without && <span className="truncate">{name}</span>}
      </Button>
      {opened > 0 && (
        <UserMenu
          key={opened}
          anchor={button}
          open={open}
          onOpenChange={setOpen}
          {...{ label, onKeys }}
        />
      )}
    </>
  );
}

/**
 * Asks to sign in again when the session has ended, in another tab, so that what was typed here stays; comes back by
 * itself when that is done.
 */
function SessionEnded() {
  const [ended, setEnded] = useState(false);
  const queries = useQueryClient();
  useEffect(() => onSignedOut(() => setEnded(true)), []);
  const check = async () => {
    try {
      await ask("get", "/api/identity/whoami");
      setEnded(false);
      await queries.invalidateQueries();
    } catch {
      // Still signed out, or the service is away: the dialog stays.
    }
  };
  useEffect(() => {
    if (!ended) return;
    const onVisible = () => void (document.visibilityState === "visible" && check());
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [ended]);
  if (!ended) return null;
  return <SessionDialog onCheck={check} onClose={() => setEnded(false)} />;
}
