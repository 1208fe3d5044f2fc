import { describe, expect, it } from "vitest";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import type { Connector, Finding, Session } from "#services/collector/connector.ts";

/** A connector over a real source that holds something. */
export interface ConnectorUnderTest {
  connector: Connector;
  /** A session that works, with these members changed. */
  session: (more?: Partial<Session>) => Session;
  /** Sessions that fail, by why. */
  failing: Record<string, () => Session>;
  /** A session that leaves everything out. */
  excluded: () => Session;
  /** A second session of which a query takes longer than `statementTimeoutMs` allows. */
  slow: () => Session;
}

/** Milliseconds in which a cancelled read must end. */
const cancelMs = 2_000;

const secretOf = (session: Session) => [...session.secrets.values()].join("");

async function all(findings: AsyncIterable<Finding>): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of findings) found.push(finding);
  return found;
}

/** What every connector must keep. */
export function connectorConformance(name: string, under: () => ConnectorUnderTest): void {
  describe(`${name} as a connector`, () => {
    it("finds items that ingestion takes, no two with one CATRN, below its data source or as secondary", async () => {
      const session = under().session();
      const items = (await all(under().connector.read(session)))
        .flatMap((one) => one.kind === "item" ? [one.item] : []);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(DataEntity.safeParse(item).error).toBeUndefined();
      const foreign = items.filter(({ catrn }) => !catrn.startsWith(`${session.source}/`));
      expect(foreign.length).toBeLessThan(items.length);
      if (!under().connector.isSecondary) expect(foreign).toEqual([]);
      expect(new Set(items.map(({ catrn }) => catrn)).size).toBe(items.length);
    });

    it("finds the same twice, in the same order", async () => {
      const { connector, session } = under();
      expect(await all(connector.read(session()))).toEqual(await all(connector.read(session())));
    });

    it("finds nothing of what is excluded", async () => {
      const found = await all(under().connector.read(under().excluded()));
      expect(found.filter(({ kind }) => kind !== "note")).toEqual([]);
    });

    it("passes every check of a source that works", async () => {
      const checks = await under().connector.check(under().session());
      expect(checks.length).toBeGreaterThan(1);
      expect(checks.filter(({ outcome }) => outcome === "FAILED")).toEqual([]);
    });

    it("tells of each failure what to do, without its secrets, in the check and in the read", async () => {
      for (const [why, session] of Object.entries(under().failing)) {
        const checks = await under().connector.check(session());
        const failed = checks.filter(({ outcome }) => outcome === "FAILED");
        expect([why, failed.length > 0 && failed.every(({ remedy }) => remedy)]).toEqual([
          why,
          true,
        ]);
        const error = await all(under().connector.read(session())).then(() => null, (e) => e);
        expect([why, error instanceof SourceError && typeof error.remedy]).toEqual([why, "string"]);
        const secret = secretOf(session());
        const texts = JSON.stringify([checks, error.problem, error.message]);
        if (secret !== "") expect([why, texts.includes(secret)]).toEqual([why, false]);
      }
    });

    it("ends within two seconds of its cancellation, and begins nothing after it", async () => {
      const abort = new AbortController();
      const reading = all(under().connector.read(under().session({ signal: abort.signal })))
        .then(() => "whole", () => "ended");
      const begun = performance.now();
      abort.abort("cancelled");
      expect(await reading).toBe("ended");
      expect(performance.now() - begun).toBeLessThan(cancelMs * 5);
      const again = all(under().connector.read(under().session({ signal: abort.signal })));
      await expect(again).rejects.toBe("cancelled");
    });

    it("ends a query that takes too long", async () => {
      const error = await all(under().connector.read(under().slow())).then(() => null, (e) => e);
      expect(error?.reason).toMatch(/took too long/);
    });
  });
}
