import { Link } from "@tanstack/react-router";
import { Keyboard, KeyRound, Languages, LogOut, Monitor, Moon, Rows3, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { toast } from "#web/kit/toast.ts";
import {
  MenuGroup,
  MenuItem,
  MenuOf,
  type MenuOfProps,
  MenuRule,
  Submenu,
} from "#web/kit/menu.tsx";
import { useAppInfo } from "#web/components/permissions.ts";
import { type PlainKey, t } from "#web/messages/text.ts";
import { type Language, language, languages, setLanguage } from "#web/messages/language.ts";

const themes: [theme: Theme, text: PlainKey, icon: typeof Sun][] = [
  ["system", "app.themeSystem", Monitor],
  ["light", "app.themeLight", Sun],
  ["dark", "app.themeDark", Moon],
];

/** Theme, density, language, tokens, and signing out. */
export default function UserMenu({ onKeys, ...menu }: MenuOfProps & { onKeys: () => void }) {
  const info = useAppInfo().data;
  const now = useSyncExternalStore(subscribe, theme);
  const dense = useSyncExternalStore(subscribe, isCompact);
  const open = info?.authType === "DISABLED";
  return (
    <MenuOf {...menu}>
      <MenuGroup label={t("app.theme")}>
        {themes.map(([one, text, Icon]) => (
          <MenuItem
            key={one}
            onClick={() => choose("theme", one === "system" ? undefined : one)}
            closeOnClick={false}
          >
            <Icon aria-hidden /> {t(text)}{" "}
            {one === now && <span className="soft">{t("app.chosen")}</span>}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuItem
        onClick={() => choose("density", dense ? undefined : "compact")}
        closeOnClick={false}
      >
        <Rows3 aria-hidden /> {dense ? t("app.comfortableDensity") : t("app.compactDensity")}
      </MenuItem>
      <LanguageMenu />
      {!open && (
        <>
          <MenuRule />
          <MenuItem render={<Link to="/management/$section" params={{ section: "tokens" }} />}>
            <KeyRound aria-hidden /> {t("app.myTokens")}
          </MenuItem>
          <MenuItem onClick={() => void signOut()}>
            <LogOut aria-hidden /> {t("app.signOut")}
          </MenuItem>
        </>
      )}
      <MenuRule />
      <MenuItem onClick={onKeys}>
        <Keyboard aria-hidden /> {t("app.keyboard")} <kbd>?</kbd>
      </MenuItem>
      <MenuItem render={<a href="api/explorer" />}>{t("app.apiExplorer")}</MenuItem>
      <MenuGroup label={`${t("app.tributary")} ${info?.projectVersion ?? ""}`}>{null}</MenuGroup>
    </MenuOf>
  );
}

function LanguageMenu() {
  return (
    <Submenu
      label={
        <>
          <Languages aria-hidden /> {t("app.language")}
        </>
      }
    >
      {Object.entries(languages).map(([tag, name]) => (
        <MenuItem
          key={tag}
          onClick={() => setLanguage(tag as Language)}
        >
          <span lang={tag}>{name}</span>{" "}
          {tag === language && <span className="soft">{t("app.chosen")}</span>}
        </MenuItem>
      ))}
    </Submenu>
  );
}

/** Signs out here, and goes on to where that is done at the identity provider too. */
async function signOut(): Promise<void> {
  try {
    const answer = await fetch("logout", {
      method: "POST",
      headers: { accept: "application/json" },
    });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
    const { location: away } = await answer.json() as { location: string | null };
    location.assign(away ?? new URL("login?logout", document.baseURI));
  } catch {
    toast(t("app.youAreNotSignedOut"), { tone: "bad", about: t("app.serverUnreachable") });
  }
}

/** What people choose for themselves, kept in this browser; `public/theme.js` applies it before the first paint. */
type Theme = "system" | "light" | "dark";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

const isCompact = (): boolean => document.documentElement.dataset.density === "compact";

function choose(name: "theme" | "density", value: string | undefined): void {
  const { dataset } = document.documentElement;
  if (value) dataset[name] = value;
  else delete dataset[name];
  try {
    if (value) localStorage.setItem(`tributary.${name}`, value);
    else localStorage.removeItem(`tributary.${name}`);
  } catch {
    // Storage may be forbidden; then it holds until the page is left.
  }
  listeners.forEach((listener) => listener());
}
