import { readFileSync } from "node:fs";
import { publishedRoutes } from "#services/api/openapi.ts";
import { type Member, membersOf } from "./members.ts";

/** An operation: its method in capitals and its path template. */
export interface Operation {
  family: string;
  method: string;
  path: string;
  /** Empty when none was published. */
  id: string;
}

/** An operation with what the published contract says of it; `body` and `result` as `Member.type`, empty for none. */
export interface PublishedOperation extends Operation {
  query: Member[];
  body: string;
  status: string;
  result: string;
}

/** Operations that differ between the published contract and this release. */
export interface Comparison {
  published: PublishedOperation[];
  /** Published but not served. */
  missing: PublishedOperation[];
  /** Served but not published. */
  further: Operation[];
  /** Served with another operation id than the published one. */
  renamed: PublishedOperation[];
}

/** The operations of the published contract, in its order; read from `operations.txt` beside this file. */
export function publishedOperations(): PublishedOperation[] {
  const text = readFileSync(new URL("operations.txt", import.meta.url), "utf8");
  let family = "";
  return text.split("\n").filter((line) => line !== "").flatMap((line) => {
    if (line.startsWith("## ")) {
      family = line.slice(3);
      return [];
    }
    return [operationOf(family, line)];
  });
}

/** `METHOD path id | query parameters | body | status result`; of an operation for collectors only the first part. */
function operationOf(family: string, line: string): PublishedOperation {
  const [named = "", query = "", body = "", answer = ""] = line.split("|").map((part) =>
    part.trim()
  );
  const [method = "", path = "", id = ""] = named.split(" ");
  const [status = "", result = ""] = answer.split(" ");
  const operation = { family, method, path, id: id === "-" ? "" : id };
  return { ...operation, query: membersOf(query), body, status, result };
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
  const operationsSet = new Set(published.map(placeOf));
  return {
    published,
    missing: published.filter((operation) => !byPlace.has(placeOf(operation))),
    further: served.filter((operation) => !operationsSet.has(placeOf(operation))),
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
