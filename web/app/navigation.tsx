import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Activity,
  BookOpenText,
  Code2,
  FolderTree,
  Gauge,
  House,
  type LucideIcon,
  MessageCircleQuestion,
  Search,
  Settings,
  Share2,
  ShieldCheck,
  Table,
  TriangleAlert,
} from "lucide-react";
import type { MouseEvent } from "react";
import { read } from "#web/api/client.ts";
import styles from "#web/app/shell.module.css";
import { useOverallState } from "#web/components/overall-state.ts";
import { classes, toneClass } from "#web/kit/classes.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

/** The navigation at the side; icons only on narrow screens. `onGo`: it is shown above the screen, and a place was chosen. */
export function Navigation({ onGo }: { onGo?: () => void }) {
  const features = useFeatures();
  return (
    <nav
      className={classes(styles.side, !onGo && styles.fixed)}
      aria-label={t("app.main")}
      onClick={onGo && onLink(onGo)}
    >
      <Link to="/" className={styles.brand} aria-label={t("app.tributaryHome")}>
        <svg
          viewBox="0 0 40 40"
          fill="none"
          stroke="currentColor"
          strokeWidth="3.5"
          strokeLinecap="round"
          aria-hidden
        >
          <path d="M5 8c10 0 8 12 17 12h13M5 20h30M5 32c10 0 8-12 17-12" />
        </svg>
        <span>{t("app.tributary")}</span>
      </Link>
      {navigation.map(({ heading, items: some }) => (
        <div key={heading ?? ""}>
          {heading && <div className={styles.heading}>{t(heading)}</div>}
          {some.filter(({ needs }) => !needs || features.has(needs)).map((
            { to, name, icon: Icon },
          ) => (
            <Link
              key={to}
              to={to}
              className={styles.nav}
              title={t(name)}
              activeOptions={{ exact: to === "/", includeSearch: false }}
            >
              <Icon aria-hidden />
              <span>{t(name)}</span>
              {to === "/operations" && <Problems />}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** How many problems the instance has, beside where they are shown. */
function Problems() {
  const overall = useOverallState();
  if (!overall || overall.problems.length === 0) return null;
  const tone = overall.state === "ERROR" ? "bad" : "warn";
  return (
    <b className={classes(styles.problems, toneClass(tone))}>
      {overall.problems.length}
      <span className="visually-hidden">{t("app.problems")}</span>
    </b>
  );
}

function onLink(go: () => void) {
  return ({ target }: MouseEvent) => (target as Element).closest("a") && go();
}

/** What is switched on, in lower case. */
export function useFeatures(): Set<string> {
  const { data } = useQuery({ ...read("/api/features/active"), staleTime: Infinity });
  return new Set((data?.items ?? []).map((name) => name.toLowerCase()));
}

interface NavigationItem {
  to: string;
  name: PlainKey;
  icon: LucideIcon;
  /** Further words that find it in the palette. */
  words?: PlainKey;
  /** Shown only while this is switched on. */
  needs?: "genai";
}

/** Where the navigation and the palette lead to, in groups. */
export const navigation: { heading?: PlainKey; items: NavigationItem[] }[] = [
  {
    items: [
      { to: "/", name: "app.home", icon: House },
      { to: "/search", name: "app.search", icon: Search, words: "app.wordsSearch" },
      { to: "/directory", name: "app.directory", icon: FolderTree, words: "app.wordsDirectory" },
      {
        to: "/ask",
        name: "app.ask",
        icon: MessageCircleQuestion,
        needs: "genai",
        words: "app.wordsAsk",
      },
    ],
  },
  {
    heading: "app.monitor",
    items: [
      { to: "/alerts", name: "app.alerts", icon: TriangleAlert, words: "app.wordsAlerts" },
      { to: "/quality", name: "app.quality", icon: ShieldCheck, words: "app.wordsQuality" },
      { to: "/activity", name: "app.activity", icon: Activity, words: "app.wordsActivity" },
    ],
  },
  {
    heading: "app.knowledge",
    items: [
      { to: "/terms", name: "app.glossary", icon: BookOpenText, words: "app.wordsGlossary" },
      {
        to: "/queryexamples",
        name: "app.queryExamples",
        icon: Code2,
        words: "app.wordsQueryExamples",
      },
      {
        to: "/lookup-tables",
        name: "app.lookupTables",
        icon: Table,
        words: "app.wordsLookupTables",
      },
      {
        to: "/relationships",
        name: "app.relationships",
        icon: Share2,
        words: "app.wordsRelationships",
      },
    ],
  },
  {
    heading: "app.admin",
    items: [
      { to: "/operations", name: "app.operations", icon: Gauge, words: "app.wordsOperations" },
      {
        to: "/management/sources",
        name: "app.management",
        icon: Settings,
        words: "app.wordsManagement",
      },
    ],
  },
];
