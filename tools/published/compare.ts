import { readFileSync } from "node:fs";
import { publishedRoutes } from "#services/api/documents.ts";

/** An operation: its method in capitals and its path template. */
export interface Operation {
  family: string;
  method: string;
  path: string;
  /** Empty when none was published. */
  id: string;
}

/** Operations that differ between the published contract and this release. */
export interface Comparison {
  published: Operation[];
  /** Published but not served. */
  missing: Operation[];
  /** Served but not published. */
  further: Operation[];
  /** Served with another operation id than the published one. */
  renamed: Operation[];
}

/** The operations of the published contract, in its order; read from `operations.txt` beside this file. */
export function publishedOperations(): Operation[] {
  const text = readFileSync(new URL("operations.txt", import.meta.url), "utf8");
  let family = "";
  return text.split("\n").filter((line) => line !== "").flatMap((line) => {
    if (line.startsWith("## ")) {
      family = line.slice(3);
      return [];
    }
    const [method = "", path = "", id = ""] = line.split(" ");
    return [{ family, method, path, id: id === "-" ? "" : id }];
  });
}

/** Compares the published contract with the declared routes. */
export function compareWithPublished(): Comparison {
  const published = publishedOperations();
  const served = publishedRoutes().map(({ spec }) => ({
    family: spec.tag,
    method: spec.method.toUpperCase(),
    path: spec.path,
    id: spec.id,
  }));
  const byPlace = new Map(served.map((operation) => [placeOf(operation), operation]));
  const places = new Set(published.map(placeOf));
  return {
    published,
    missing: published.filter((operation) => !byPlace.has(placeOf(operation))),
    further: served.filter((operation) => !places.has(placeOf(operation))),
    renamed: published.filter((operation) => {
      const id = byPlace.get(placeOf(operation))?.id;
      return operation.id !== "" && id !== undefined && id !== operation.id;
    }),
  };
}

/** Names of path parameters do not matter to clients, so they are not compared. */
function placeOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;
}
