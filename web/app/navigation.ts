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

export interface NavigationItem {
  to: string;
  name: string;
  icon: LucideIcon;
  /** Further words that find it in the palette. */
  words?: string;
  /** Shown only while this is switched on. */
  needs?: "genai";
}

/** Where the navigation and the palette lead to, in groups. */
export const navigation: { heading?: string; items: NavigationItem[] }[] = [
  {
    items: [
      { to: "/", name: "Home", icon: House },
      { to: "/search", name: "Search", icon: Search, words: "catalogue entities tables find" },
      { to: "/directory", name: "Directory", icon: FolderTree, words: "sources browse" },
      { to: "/ask", name: "Ask", icon: MessageCircleQuestion, needs: "genai", words: "question" },
    ],
  },
  {
    heading: "Monitor",
    items: [
      { to: "/alerts", name: "Alerts", icon: TriangleAlert, words: "silences deliveries failures" },
      { to: "/quality", name: "Quality", icon: ShieldCheck, words: "tests sla" },
      { to: "/activity", name: "Activity", icon: Activity, words: "changes history feed" },
    ],
  },
  {
    heading: "Knowledge",
    items: [
      { to: "/terms", name: "Glossary", icon: BookOpenText, words: "terms definitions" },
      { to: "/queryexamples", name: "Query examples", icon: Code2, words: "sql" },
      { to: "/lookup-tables", name: "Lookup tables", icon: Table, words: "reference data" },
      { to: "/relationships", name: "Relationships", icon: Share2, words: "erd foreign keys" },
    ],
  },
  {
    heading: "Admin",
    items: [
      {
        to: "/operations",
        name: "Operations",
        icon: Gauge,
        words: "health lag workers dead letters",
      },
      {
        to: "/management/sources",
        name: "Management",
        icon: Settings,
        words: "owners roles policies tokens collectors tags namespaces audit openlineage expiry",
      },
    ],
  },
];
