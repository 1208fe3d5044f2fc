import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { accessibilityFaults } from "#test/support/web/accessibility.ts";
import { findBrowser, howToGetOne } from "#test/support/web/find-browser.ts";

/** A browser without a window. It is the caller's to close. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(`No browser: ${howToGetOne}`);
  return await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
    // Its own handlers would survive vitest's SIGTERM to this process, and Deno sends no SIGKILL after it
    // (ChildProcess.kill works once). The browser ends with the pipe to this process.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
}

let shared: Promise<Browser> | undefined;

/**
 * One browser for all test files of a process, which ends with it. Each file closes the pages that it opened
 * (`closePages`); pages share neither cookies nor storage.
 */
export async function sharedBrowser(): Promise<Browser> {
  const open = await shared;
  if (!open?.isConnected()) shared = openBrowser();
  return await shared!;
}

/** Closes all pages of a browser: files run one after the other, so they are those of this file. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

export interface VisitOptions {
  /** Answers that a test provokes: status and path, such as `404 /api/dataentities/999`. */
  expected?: RegExp;
  /** Warnings in the console that a test provokes. */
  warnings?: RegExp;
  /** Pixels. */
  width?: number;
  height?: number;
  /** A phone: fingers, no mouse, no keyboard. */
  touch?: boolean;
}

/** A page of the interface that remembers what went wrong in it. */
export interface Visit {
  page: Page;
  /** Goes to a path of the interface. */
  go: (path: string) => Promise<void>;
  /** What the browser complained of, refusals that were not expected, and faults of accessibility in both themes. */
  problems: () => Promise<string[]>;
}

/** Opens a page of its own (no cookies, no storage) on the interface at `base`. */
export async function visit(
  browser: Browser,
  base: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(contextOf(options));
  return watched(await context.newPage(), base, options);
}

/** Playwright's own way to clear a page for the next test; without a type, since only its test runner uses it. */
interface ReusableBrowser extends Browser {
  _newContextForReuse(options: BrowserContextOptions): Promise<BrowserContext>;
  _disconnectFromReusedContext(reason: string): Promise<void>;
}

/**
 * Like `visit`, but in the page of the last such visit, which ends, and from which cookies, storage, routes and scripts
 * are removed. A new page costs twice the CPU, for a process of its own that compiles the interface again.
 */
export async function visitAgain(
  browser: Browser,
  base: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const reusable = browser as ReusableBrowser;
  await reusable._disconnectFromReusedContext("the next visit begins");
  const context = await reusable._newContextForReuse(contextOf(options));
  return watched(context.pages()[0] ?? await context.newPage(), base, options);
}

function contextOf({ width = 1280, height = 800, touch = false }: VisitOptions) {
  return {
    viewport: { width, height },
    hasTouch: touch,
    isMobile: touch,
    // Transitions cost CPU, and Playwright waits until what it clicks no longer moves.
    reducedMotion: "reduce" as const,
  };
}

function watched(page: Page, base: string, { expected, warnings }: VisitOptions): Visit {
  page.setDefaultTimeout(30_000);
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refused request is looked at below, with its path.
    const refused = message.text().startsWith("Failed to load resource");
    const isReported = message.type() === "error" ||
      message.type() === "warning" && !warnings?.test(message.text());
    if (isReported && !refused) found.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    const said = `${response.status()} ${new URL(response.url()).pathname}`;
    if (response.status() >= 400 && !expected?.test(said)) found.push(`refused: ${said}`);
  });
  return {
    page,
    go: async (path) => {
      await page.goto(new URL(path, base).href, { waitUntil: "load" });
      // A dialog that the address opens hides what is behind it from assistive technology at once.
      await page.locator("main").waitFor();
    },
    problems: async () => {
      // A page that was just loaded again is empty at first.
      await page.locator("h1").first().waitFor({ state: "attached" });
      return [...found.splice(0), ...await accessibilityFaults(page)];
    },
  };
}
