import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { load } from "../lineage/load.ts";
import type { Row } from "../support/report.ts";
import { startSubject, type Subject } from "../support/subject.ts";
import { measurementRow, median } from "./measurement.ts";
import { lineageGraph } from "./graphs.ts";
import { paintRows } from "./paint.ts";
import { watch } from "./watch.ts";

const rounds = 5;

/** The interface with a catalogue of generated lineages, as people use it: answers of the service are part of each figure. */
export async function interfaceRows(browser: Browser): Promise<Row[]> {
  const subject = await startSubject("embedded");
  try {
    const roots = new Map<number, number>();
    for (const nodes of [1_000, 4_000, 5_000]) roots.set(nodes, await rooted(subject, nodes));
    const url = (path: string) => new URL(path, subject.url).href;
    const drawn = (nodes: number, draw: "" | "&draw=all") =>
      drawnMs(browser, url(`/lineage?ids=${roots.get(nodes)}&up=0&down=1${draw}`));
    const whole = url(`/lineage?ids=${roots.get(5_000)}&up=0&down=all&draw=all`);
    return [
      ...await paintRows(url("/")),
      measurementRow("to a list, to its first row", "ms", await routeMs(browser, url("/")), 150),
      measurementRow("click to a map of 1,000 nodes drawn", "ms", await drawn(1_000, ""), 300),
      measurementRow(
        "click to lineage drawn, 1,000 nodes",
        "ms",
        await drawn(1_000, "&draw=all"),
        300,
      ),
      measurementRow(
        "click to lineage drawn, 4,000 nodes",
        "ms",
        await drawn(4_000, "&draw=all"),
        500,
      ),
      measurementRow(
        "heap of the page with 5,000 nodes drawn",
        "MB",
        await heapMb(browser, whole),
        40,
      ),
    ];
  } finally {
    await subject.stop();
  }
}

/** A generated lineage of so many nodes, all of them downstream of one; the id of that one. */
async function rooted(subject: Subject, nodes: number): Promise<number> {
  const { edges } = lineageGraph(nodes - 1);
  const fed = new Set<number>();
  const pairs: [number, number][] = [];
  for (let at = 0; at < edges.length; at += 2) {
    fed.add(edges[at + 1]!);
    pairs.push([edges[at]! + 1, edges[at + 1]! + 1]);
  }
  for (let id = 0; id < nodes - 1; id++) if (!fed.has(id)) pairs.push([0, id + 1]);
  const ids = await load(subject.db, `web_${nodes}`, { entities: nodes, edges: pairs }, false);
  return ids[0]!;
}

async function opened(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(watch);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return { context, page };
}

/** Runs `measure` in pages of their own, without anything cached; the median. */
async function measured<T>(browser: Browser, measure: (page: Page, cdp: CDPSession) => Promise<T>) {
  const found: T[] = [];
  for (let round = 0; round < rounds; round++) {
    const { context, page } = await opened(browser);
    try {
      found.push(await measure(page, await context.newCDPSession(page)));
    } finally {
      await context.close();
    }
  }
  return found;
}

/** Looks at every frame; the policy of the interface forbids what playwright would do. */
const until = (page: Page, condition: string) =>
  page.evaluate(`new Promise((done) => {
    const look = () => ${condition} ? done() : requestAnimationFrame(look);
    look();
  })`);

/** From the home page to search, whose code has not been loaded before. */
async function routeMs(browser: Browser, url: string): Promise<number> {
  const row = "[role=table] [role=rowgroup] [role=row]";
  return median(
    await measured(browser, async (page) => {
      await page.goto(url);
      await page.getByRole("navigation").getByRole("link", { name: "Search" }).waitFor();
      return await page.evaluate<number>(`new Promise((done) => {
        const begun = performance.now();
        document.querySelector('nav a[href$="/search"]').click();
        const look = () => document.querySelector(${JSON.stringify(row)})
          ? done(performance.now() - begun) : requestAnimationFrame(look);
        look();
      })`);
    }),
  );
}

/** From the choice of all hops, in a drawing of one hop, to the frame with all of it. */
async function drawnMs(browser: Browser, url: string): Promise<number> {
  return median(
    await measured(browser, async (page) => {
      await page.goto(url);
      await until(page, "seen.drawn > 0");
      await page.evaluate(`seen.laidOut = seen.drawn = 0;
        addEventListener("change", () => seen.begun = performance.now(), { capture: true })`);
      await page.getByLabel("Hops downstream", { exact: true }).selectOption("all");
      await until(page, "seen.drawn > 0");
      return await page.evaluate<number>("seen.drawn - seen.begun");
    }),
  );
}

/** What the page holds after everything that it needs no more was freed. */
async function heapMb(browser: Browser, url: string): Promise<number> {
  return median(
    await measured(browser, async (page, cdp) => {
      await page.goto(url);
      await until(page, "seen.drawn > 0");
      await cdp.send("HeapProfiler.enable");
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.collectGarbage");
      const { usedSize } = await cdp.send("Runtime.getHeapUsage");
      return usedSize / 2 ** 20;
    }),
  );
}
