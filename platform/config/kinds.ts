import { z } from "zod";

/** `alias=host, …`, in lower case. */
export const aliases = z.string().default("").transform((text, context) => {
  const entries = text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
  return new Map(entries.map((entry) => {
    const at = entry.indexOf("=");
    const [alias, host] = [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
    if (at < 1 || host === "") {
      context.addIssue({ code: "custom", message: "alias=host, …; neither may be empty" });
    }
    return [alias.toLowerCase(), host];
  }));
});

/** A TCP port; 0 chooses a free one. */
export const port = z.int().min(0).max(65_535);
/** A host name or address to listen on or to connect to. */
export const hostname = z.string().min(1);
export const days = z.int().min(1).max(36_500);

/** A comma-separated list of non-empty texts. */
export const list = (is: (entry: string) => boolean, error: string) =>
  z.string().default("").transform((text, context) => {
    const entries = text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
    if (!entries.every(is)) context.addIssue({ code: "custom", message: error });
    return entries;
  });

const durations = new Map(
  Object.entries({ ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }),
);
const sizes = new Map(
  Object.entries({ B: 1, kB: 1_024, KB: 1_024, MB: 1_048_576, GB: 1_073_741_824 }),
);

const durationText = z.union([z.string(), z.number()]);

/** `10 s`, `500 ms`, `2 min`, `7 d`, or a plain number of milliseconds; parsed to milliseconds. */
export const duration = (standard: string) =>
  durationText.default(standard).transform(milliseconds);

/** As `duration`, of something that never works in no time at all. */
export const someTime = (standard: string) =>
  duration(standard).refine((ms) => ms > 0, "must be more than 0: with 0 this never works");

/** As `duration`, or `off`, which becomes null. */
export const durationOrOff = (standard: string) =>
  durationText.default(standard).transform((value, context) =>
    value === "off" ? null : milliseconds(value, context)
  );

function milliseconds(value: string | number, context: z.core.$RefinementCtx): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h|d)?$/.exec(String(value).trim());
  if (match) return Number(match[1]) * durations.get(match[2] ?? "ms")!;
  context.addIssue({ code: "custom", message: "must be a duration such as 500 ms, 10 s, 2 h" });
  return z.NEVER;
}

/** `20 MB`, `512 kB`, or a plain number of bytes; parsed to bytes (1 kB = 1,024). */
export const bytes = (standard: string) =>
  z.union([z.string(), z.number()]).default(standard).transform((value, context) => {
    const match = /^(\d+)\s*(B|kB|KB|MB|GB)?$/.exec(String(value).trim());
    if (!match) {
      context.addIssue({ code: "custom", message: "must be a size such as 512 kB or 20 MB" });
      return z.NEVER;
    }
    return Number(match[1]) * sizes.get(match[2] ?? "B")!;
  });

/** As `bytes`, of something that always has a size. */
export const someBytes = (standard: string) =>
  bytes(standard).refine((size) => size > 0, "must be more than 0: with 0 everything is refused");

/**
 * The URL of an engine with one of these protocols. It may contain a password, so error messages do not quote
 * it.
 */
export const address = (example: string, protocols: string[]) =>
  z.string().refine(
    (text) => isAddress(text, protocols),
    `must be an address such as ${example} (${protocols.map((p) => `${p}://`).join(", ")}); ` +
      "# / ? @ : % in a user or password are written %23 %2F %3F %40 %3A %25",
  );

function isAddress(text: string, protocols: string[]): boolean {
  const url = URL.parse(text);
  if (!url || !protocols.includes(url.protocol.slice(0, -1))) return false;
  try {
    return [url.username, url.password, url.pathname].every((part) =>
      decodeURIComponent(part) || true
    );
  } catch {
    return false;
  }
}

const caFile = z.string().min(1).optional().describe("PEM file of a private certificate authority");

/** What is needed for TLS to a server. */
export const ssl = () => z.strictObject({ "ca-file": caFile }).prefault({});

/** TLS to, and how to sign in at, some brokers of Kafka. */
export const kafkaSecurity = (brokers: string) => ({
  ssl: z.strictObject({
    enabled: z.boolean().default(false).describe(`TLS to ${brokers}`),
    "ca-file": caFile,
  }).prefault({}),
  sasl: z.strictObject({
    mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional().describe(
      `How to sign in to ${brokers}`,
    ),
    username: z.string().optional().describe(`User at ${brokers}`),
    password: z.string().optional().describe(`Password at ${brokers}`),
  }).prefault({}),
});

/** Reports, in a `superRefine`, problems of settings that depend on each other. */
export function demands(context: z.core.$RefinementCtx) {
  const issue = (path: string[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  return {
    issue,
    /** Reports a setting that is given but has no effect. */
    idle(given: string | boolean | undefined, path: string[], why: string) {
      if (given) issue(path, `does nothing ${why}`);
    },
    /** Reports a setting that is missing. */
    demand(given: string | undefined, path: string[], when: string) {
      if (!given) issue(path, `is required when ${when}`);
    },
  };
}
