import { type ClassKey, classKeys } from "#web/graph/icons.ts";
import type { Theme } from "#web/graph/style.ts";

const classTokens: Record<ClassKey, string> = {
  DATA_ENTITY_GROUP: "--class-group",
  DATA_SET: "--class-dataset",
  DATA_TRANSFORMER: "--class-transformer",
  DATA_CONSUMER: "--class-consumer",
  DATA_INPUT: "--class-input",
  DATA_QUALITY_TEST: "--class-quality",
  DATA_TRANSFORMER_RUN: "--class-transformer",
  DATA_QUALITY_TEST_RUN: "--class-quality",
  DATA_RELATIONSHIP: "--class-relationship",
  UNKNOWN: "--class-group",
};

/** Sources seen from far; neighbours in the list are easy to distinguish. */
const sourceTokens = [
  "--class-dataset",
  "--class-transformer",
  "--class-quality",
  "--class-consumer",
  "--class-input",
  "--class-relationship",
  "--warn",
];

/** The colours of the page as they are now; a token may differ by theme, so each is asked of an element. */
export function themeOf(element: HTMLElement): Theme {
  const probe = document.createElement("span");
  element.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const theme: Theme = {
    background: colour("--page"),
    surface: colour("--surface"),
    border: colour("--line-strong"),
    text: colour("--ink"),
    muted: colour("--ink-soft"),
    line: colour("--line-strong"),
    accent: colour("--brand"),
    onAccent: colour("--ink-inverse"),
    alert: colour("--bad"),
    changes: { came: colour("--good"), left: colour("--bad"), elsewhere: colour("--info") },
    classes: Object.fromEntries(
      classKeys.map((key) => [key, colour(classTokens[key])]),
    ) as Theme["classes"],
    sources: sourceTokens.map(colour),
    font: getComputedStyle(element).fontFamily,
  };
  probe.remove();
  return theme;
}

/** Calls back when the theme of the page may have changed. */
export function onThemeChange(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
