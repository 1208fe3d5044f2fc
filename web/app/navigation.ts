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
import type { PlainKey } from "#web/messages/text.ts";

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
      {
        to: "/operations",
        name: "app.operations",
        icon: Gauge,
        words: "app.wordsOperations",
      },
      {
        to: "/management/sources",
        name: "app.management",
        icon: Settings,
        words: "app.wordsManagement",
      },
    ],
  },
];
