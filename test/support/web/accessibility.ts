import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { inject } from "vitest";
import { checkedFile } from "#test/support/web/checked-file.ts";
import { isLongRun } from "#test/support/size.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is used here of an element of the page; the tests are not checked with the types of a browser. */
interface PageElement {
  tagName: string;
  isConnected: boolean;
  getAttribute: (name: string) => string | null;
  getAttributeNames: () => string[];
}
interface PageGlobals {
  document: { querySelectorAll: (selector: string) => Iterable<PageElement> };
  newElements: PageElement[];
  axe: { run: (context: unknown, options: object) => Promise<{ violations: Violation[] }> };
}
interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** Rules of axe that look at colours. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * What was checked in this run, by whichever process: screens, and kinds of elements. It is marked before the check, so two
 * processes seldom check the same; where a check fails, so does the run.
 */
const checked = {
  read(): Set<string> {
    const file = checkedFile(inject("run"));
    return new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  },
  add: (what: Iterable<string>) =>
    appendFileSync(checkedFile(inject("run")), `${[...what].join("\n")}\n`),
};

/**
 * What axe finds on the current page, in the light and in the dark theme. A check of a whole page takes seconds, so in
 * `npm test` each screen is checked whole once in a run; later visits check the elements of a kind (tag, classes,
 * role, states) that no page had before. `npm run test:long` checks every page whole, as does `whole`.
 */
export async function accessibilityFaults(page: Page, whole = isLongRun): Promise<string[]> {
  const screen = screenOf(page);
  const known = checked.read();
  const fresh = await markNewKinds(page, known);
  const isKnown = !whole && known.has(screen);
  checked.add([screen]);
  if (isKnown && fresh === 0) return [];
  const faults: string[] = [];
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Themes differ in their colours only.
    const rules = colorScheme === "light" ? [] : colorRules;
    const violations = await page.evaluate(runAxe, { rules, onlyNew: isKnown });
    faults.push(...violations.map((one) => `axe, ${colorScheme}: ${one}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return faults;
}

function screenOf(page: Page): string {
  const { pathname } = new URL(page.url());
  return `${pathname.replaceAll(/\d+/g, "#")} at ${page.viewportSize()?.width} px`;
}

/** Marks the elements of the page whose kind no page had before, and returns how many there are. */
async function markNewKinds(page: Page, known: ReadonlySet<string>): Promise<number> {
  const found = await page.evaluate(kindsOfElements);
  const isNew = found.map((kind) => !known.has(kind));
  checked.add(new Set(found.filter((_, at) => isNew[at])));
  await page.evaluate(markElements, isNew);
  return isNew.filter(Boolean).length;
}

/** Runs in the page. */
function kindsOfElements(): string[] {
  const { document } = globalThis as unknown as PageGlobals;
  return [...document.querySelectorAll("body *")].map((element) => {
    const states = element.getAttributeNames()
      .filter((name) => /^(aria-|data-|role$|disabled$|type$)/.test(name))
      .map((name) => name === "role" ? element.getAttribute(name) : name);
    return [element.tagName, element.getAttribute("class"), ...states].join(" ");
  });
}

/** Runs in the page, in the same order of elements. */
function markElements(isNew: boolean[]): void {
  const page = globalThis as unknown as PageGlobals;
  page.newElements = [...page.document.querySelectorAll("body *")].filter((_, at) => isNew[at]);
}

/** Runs in the page; checks all rules when none are named. */
async function runAxe(
  { rules, onlyNew }: { rules: string[]; onlyNew: boolean },
): Promise<string[]> {
  const { axe, document, newElements } = globalThis as unknown as PageGlobals;
  const left = newElements.filter((element) => element.isConnected);
  if (onlyNew && left.length === 0) return [];
  const { violations } = await axe.run(onlyNew ? left : document, {
    // Without these, most of the time goes into describing what is right.
    resultTypes: ["violations"],
    preload: false,
    ...(rules.length > 0 && { runOnly: rules }),
  });
  return violations.map(({ id, help, nodes }) =>
    `${id}: ${help} (${
      nodes.slice(0, 3).map((n) => `${n.target.join(" ")}: ${n.failureSummary}`).join("; ")
    })`
  );
}
