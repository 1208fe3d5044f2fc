import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import type { Row } from "../support/report.ts";
import { withinLimit } from "./engine.ts";
import { bestOfThree, measurementRow } from "./measurement.ts";
import { installedYardsticks } from "./yardsticks.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** Drawing alone, on a plain page: frames, marks and hits beside React Flow on the same graphs. */
export async function aloneRows(browser: Browser): Promise<Row[]> {
  const folder = join(installedYardsticks(), "page");
  const configFile = new URL("page/vite.config.ts", import.meta.url).pathname;
  await build({ configFile, logLevel: "error" });
  const server = await served(folder);
  const { port } = server.address() as AddressInfo;
  const opened = () => openedPage(browser, `http://127.0.0.1:${port}/index.html`);
  try {
    return [...await ourRows(opened), ...await drawnRows(opened)];
  } finally {
    server.close();
  }
}

async function openedPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForFunction("globalThis.bench");
  return page;
}

const call = (page: Page, expression: string) =>
  page.evaluate<number>(`bench.${expression}`).finally(() => console.error(`web, ${expression}`));

async function ourRows(opened: () => Promise<Page>): Promise<Row[]> {
  const flow = await yardstick(opened, (page) => call(page, "flowPanFrames(5000)"));
  const page = await opened();
  try {
    return await measurementsOf(page, flow);
  } finally {
    await page.close();
  }
}

async function measurementsOf(page: Page, flow: Yardstick): Promise<Row[]> {
  const frames = (expression: string) => bestOfThree(() => call(page, expression));
  return [
    measurementRow(
      "pan and zoom, 5,000 nodes in view, beside React Flow: p95 frame",
      "ms",
      await frames("panFrames(5000)"),
      17,
      flow.ms,
      flow.note,
    ),
    measurementRow(
      "pan and zoom, 20,000 nodes in view: p95 frame",
      "ms",
      await frames("panFrames(20000)"),
      34,
    ),
    measurementRow(
      "all paths through a box, 5,000 nodes",
      "ms",
      await call(page, "highlightMs(5000)"),
      16,
    ),
    measurementRow(
      "what is under the pointer, 5,000 nodes",
      "µs",
      await frames("hitMicroseconds(5000)"),
      5,
    ),
    measurementRow("scrolling 10,000 rows: p95 frame", "ms", await frames("listFrames(10000)"), 17),
  ];
}

/** Layout and drawing of a graph that is there already, by others; ours is measured in the interface, with the request. */
async function drawnRows(opened: () => Promise<Page>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of ["elk", "dagre"]) {
    const found = await yardstick(opened, async (page) => {
      await call(page, `flowDrawnMs(100, "${engine}")`);
      return await call(page, `flowDrawnMs(1000, "${engine}")`);
    });
    const name = `yardstick: React Flow and ${engine}, 1,000 nodes laid out and drawn`;
    rows.push(measurementRow(name, "ms", found.ms ?? Number.NaN, undefined, null, found.note));
  }
  return rows;
}

interface Yardstick {
  ms: number | null;
  note?: string;
}

/** What another library needs in a page of its own. It may fail, or take too long: that is no fault of what is measured. */
async function yardstick(
  opened: () => Promise<Page>,
  measure: (page: Page) => Promise<number>,
): Promise<Yardstick> {
  const page = await opened();
  const found = await withinLimit(
    measure(page).catch((error) => `gave up: ${String(error).split("\n")[0]!.slice(0, 80)}`),
    () => page.close(),
  );
  return typeof found === "number" ? { ms: found } : { ms: null, note: found };
}

function served(folder: string): Promise<Server> {
  const server = createServer(({ url = "/" }, answer) => {
    const path = normalize(new URL(url, "http://bench").pathname);
    try {
      const text = readFileSync(join(folder, path));
      answer.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(text);
    } catch {
      answer.writeHead(404).end();
    }
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}
