import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";

/** A box of a drawing of lineage, as its SVG file has it. */
export interface Card {
  name: string;
  detail: string;
  x: number;
}

/** The cards of a drawing that nobody touched, as its SVG file has them. */
export async function cardsOf(page: Page): Promise<{ cards: Card[]; svg: string }> {
  await page.locator("[role=application][aria-busy=false]").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "SVG" }).first().click(),
  ]);
  const svg = await readFile(await file.path(), "utf8");
  const found = svg.matchAll(/<g transform="translate\(([-\d.]+) [-\d.]+\)"[^>]*><title>([^<]*)</g);
  const cards = [...found].map(([, x, title]) => {
    const [name = "", detail = ""] = title!.split(", ");
    return { name, detail, x: Number(x) };
  });
  return { cards, svg };
}
