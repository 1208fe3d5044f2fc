import { z } from "zod";
import { address, demands, someBytes, someTime } from "#platform/config/kinds.ts";

/** Where the rows of lookup tables are stored, and how many. */
export const lookup = z.strictObject({
  url: address("postgres://user:password@host/database", ["postgres", "postgresql"]).optional()
    .describe(
      "PostgreSQL database of the rows of lookup tables; unset: that of the metadata, in the schema `tributary_lookup`",
    ),
  "max-connections": z.int().min(2).max(500).default(8).describe(
    "Connections of one process to that database",
  ),
  ssl: z.strictObject({
    "ca-file": z.string().min(1).optional().describe(
      "PEM file of a private certificate authority",
    ),
  }).prefault({}),
  "max-rows": z.int().min(1).max(100_000_000).default(1_000_000).describe(
    "Maximum number of rows of a lookup table",
  ),
  "max-import-size": someBytes("100 MB").describe("Largest CSV file that is imported at once"),
  "import-timeout": someTime("5 min").describe(
    "Maximum duration of an import or export of a lookup table",
  ),
}).superRefine(({ url, ssl }, context) => {
  const mode = URL.parse(url ?? "")?.searchParams.get("sslmode") ?? "unset";
  if (mode === "verify-full") return;
  demands(context).idle(
    ssl["ca-file"],
    ["ssl", "ca-file"],
    "unless metadata.lookup.url has sslmode=verify-full",
  );
});
