import { describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { type Case, cases, failed } from "../alerts/testing/case.ts";
import { type Harness, httpRecord, job } from "../testing/harness.ts";

const c = cases();

/** Alerts whose recorded events do not lead to their current state, one text each. */
async function untold({ at, prefix }: Case): Promise<string[]> {
  const rows = await at.rows<{ text: string }>(
    `SELECT concat(a.id, ' ', a.status, ': ', x.told) AS text
       FROM alert a JOIN data_entity e ON e.id = a.entity_id
       JOIN LATERAL (SELECT string_agg(event_type, ' ' ORDER BY id) AS told FROM alert_event x
                      WHERE x.alert_id = a.id AND x.event_type <> 'UPDATED') x ON true
      WHERE starts_with(e.catrn, $1) AND x.told IS DISTINCT FROM CASE a.status
        WHEN 1 THEN 'CREATED' ELSE 'CREATED RESOLVED_AUTOMATICALLY' END`,
    prefix,
  );
  return rows.map(({ text }) => text);
}

/** A pipeline that runs `act` before each statement of a name. */
const before = (at: Harness, statement: string, act: () => Promise<unknown>) =>
  at.pipelineOver((work) =>
    at.db.transaction((tx) =>
      work({
        ...tx,
        async query(query, values) {
          if (typeof query !== "string" && query.name === statement) await act();
          return await tx.query(query, values);
        },
      })
    )
  );

const shuffled = <T>(list: T[], seed: number): T[] =>
  list.map((value, i) => ({ value, key: (i * 7_919 + seed * 104_729) % 1_009 }))
    .sort((a, b) => a.key - b.key).map(({ value }) => value);

describe("writeAlerts with eight writers", () => {
  it.each(["FAILED", "SUCCESS"])(
    "on the same keys ends as the last run, which is %s, says",
    async (last) => {
      const names = ["j1", "j2", "j3"];
      const entities = [...names.map((name) => job(c().catrn(name), [], [])), c().test("t", "d")];
      await c().post(...entities);
      const runs = Array.from({ length: 64 }, (_, i) => {
        const status = i === 63 ? last : i % 3 === 0 ? "SUCCESS" : "FAILED";
        const of = (name: string) => c().ran(`${name}-${i}`, status, { of: name, day: i });
        return [...names.map(of), c().tested(`t-${i}`, status, "t")];
      });
      const chunks = shuffled(runs, last.length);
      await Promise.all(Array.from({ length: 8 }, async (_, writer) => {
        for (let i = writer; i < chunks.length; i += 8) {
          expect(await c().post(...shuffled([...chunks[i]!, ...entities], i))).toBe("applied");
        }
      }));
      expect(c().at.deadLetters).toEqual([]);
      const open = (await c().alerts()).filter((text) => text.includes(" OPEN: "));
      expect(open.map((text) => text.split(" OPEN")[0]).sort())
        .toEqual(last === "SUCCESS" ? [] : [...names.map((n) => `JOB ${n}`), "TEST d by t"]);
      expect(await untold(c())).toEqual([]);
    },
  );

  it("surfaces no error while a person resolves and reopens the same alerts", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    let writing = true;
    const person = async () => {
      while (writing) {
        await c().setStatus("RESOLVED");
        await c().setStatus("OPEN").catch((error) => expect(error.code).toBe("23505"));
      }
    };
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; round < 10; round++) {
        const run = `w${writer}-${round * 4 + writer + 2}`;
        expect(await c().post(c().ran(run, "FAILED"))).toBe("applied");
      }
    });
    // All end before the test does, whichever fails.
    const [wrote, clicked] = await Promise.all([
      Promise.allSettled(writers).finally(() => writing = false),
      Promise.allSettled([person()]),
    ]);
    expect([...wrote, ...clicked].filter(({ status }) => status === "rejected")).toEqual([]);
    expect(c().at.deadLetters).toEqual([]);
    await c().post(c().ran("r90", "SUCCESS"));
    expect((await c().alerts()).filter((text) => text.includes(" OPEN: "))).toEqual([]);
  });

  it("makes a person wait who resolves an alert that is about to grow", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    const { at } = c();
    let person: Promise<unknown> | undefined;
    let resolved = false;
    const pipeline = before(at, "stack-alerts", async () => {
      person = c().setStatus("RESOLVED").then(() => resolved = true);
      await eventually(async () => {
        const waiting = await at.rows(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(resolved || waiting.length > 0).toBe(true);
      });
      expect(resolved).toBe(false);
    });
    expect(await pipeline.process(httpRecord([c().ran("r2", "FAILED")]))).toBe("applied");
    await person;
    expect(await c().alerts()).toEqual([`JOB job RESOLVED: ${failed("r1")} | ${failed("r2")}`]);
  });

  it("begins a chunk again when somebody reopens an alert of its key meanwhile", async () => {
    await c().post(c().job(), c().ran("r1", "FAILED"));
    await c().setStatus("RESOLVED");
    let begun = 0;
    const pipeline = before(c().at, "create-alerts", async () => {
      if (++begun === 1) await c().setStatus("OPEN");
    });
    expect(await pipeline.process(httpRecord([c().ran("r2", "FAILED")]))).toBe("applied");
    expect(begun).toBe(1);
    expect(await c().alerts()).toEqual([`JOB job OPEN: ${failed("r1")} | ${failed("r2")}`]);
    expect(await c().events()).toEqual(["CREATED job", "UPDATED job"]);
  });
});
