import type { TestEdge } from "./harness.ts";

/** Milliseconds. */
export const day = 24 * 60 * 60 * 1000;
/** A catalogued database, and CATRNs of its tables. */
export const shop = "//postgresql/host/db.example/databases/shop";
export const table = (name: string) => `${shop}/schemas/public/tables/${name}`;

/** `orders` calls `payments`, and what that call is in the catalogue. */
export const call: TestEdge = { service: "orders", peer: "payments", operation: "POST /pay" };
export const pay = "//microservice/services/payments/calls/POST %2Fpay";

/** `orders` reads or writes a table of the shop. */
export const access = (access: "read" | "write", target: string): TestEdge => ({
  kind: "database",
  service: "orders",
  system: "postgresql",
  address: "db.example:5432",
  database: "shop",
  target,
  access,
});
