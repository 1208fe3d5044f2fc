import { openBrowser } from "#test/support/web/browser.ts";
import type { Row } from "../support/report.ts";
import { aloneRows } from "./alone.ts";
import { interfaceRows } from "./interface.ts";
import { layoutRows, type LayoutSize } from "./layout.ts";
import { sizeRows } from "./sizes.ts";

export interface WebSize extends LayoutSize {
  /** Whether the interface is built, and measured in a browser. */
  browser: boolean;
}

export const webSizes: Record<"small" | "full", WebSize> = {
  small: { nodes: [100], yardsticks: false, browser: false, runs: 3, budgetMs: 1_000 },
  full: {
    nodes: [100, 1_000, 5_000],
    yardsticks: true,
    browser: true,
    runs: 15,
    budgetMs: 20_000,
  },
};

/** The web interface against its budgets, and beside other libraries that draw lineage. */
export async function webBench(size: WebSize): Promise<Row[]> {
  const laidOut = await layoutRows(size);
  if (!size.browser) return laidOut;
  const sizes = sizeRows();
  const browser = await openBrowser();
  try {
    return [...sizes, ...await interfaceRows(browser), ...await aloneRows(browser), ...laidOut];
  } finally {
    await browser.close();
  }
}
