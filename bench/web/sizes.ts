import { resolve } from "node:path";
import { ensureWebBuilt } from "../../tools/web/ensure.mjs";
import { budgets, sizesOf } from "../../tools/web/sizes.ts";
import type { Row } from "../support/report.ts";
import { measurementRow } from "./measurement.ts";

/** What a browser loads, compressed as it is sent. */
export function sizeRows(): Row[] {
  if (!ensureWebBuilt(resolve("."))) throw new Error("The web interface could not be built");
  const { first, routes, lineage, worker } = sizesOf(resolve(".cache/web/site"));
  const largest = routes[0]!;
  const kB = (name: string, bytes: number, max?: number) =>
    measurementRow(name, "kB", bytes / 1_000, max && max / 1_000);
  return [
    kB("first load, with the home page", first, budgets.first),
    kB(`largest route: ${largest.module}`, largest.bytes, budgets.route),
    kB("what the lineage screens alone load", lineage, budgets.lineage),
    kB("layout worker", worker),
  ];
}
