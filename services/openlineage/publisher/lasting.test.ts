import { afterAll, beforeAll, expect, it } from "vitest";
import { jobOf, ns, pg, run, runIdOf, shownBy } from "../testing/catalogue.ts";
import { type Harness, harness } from "../testing/harness.ts";
import { publishAll, sweep } from "./worker.ts";

let h: Harness;
beforeAll(async () => void (h = await harness({ "max-namespaces": 40 })));
afterAll(() => h.drop());

const { edges, runs } = shownBy(() => h);

it("after a publisher is killed before, during or after posting, the next one completes the catalogue", async () => {
  const namespace = ns();
  const io = { outputs: [{ namespace: pg(namespace), name: "shop.public.orders" }] };
  const failing = (at: "before" | "after"): typeof h.deps => ({
    ...h.deps,
    events: Object.assign(Object.create(h.events), {
      publish: async (...given: Parameters<typeof h.events.publish>) => {
        if (at === "after") await h.events.publish(...given);
        throw new Error("killed");
      },
    }),
  });
  for (const [n, at] of (["before", "after"] as const).entries()) {
    await h.merge(run(namespace, "START", { ...io, n: n + 1, name: at }));
    await expect(publishAll(failing(at))).rejects.toThrow();
    // The claim of who died ends.
    for (const table of ["ol_job", "ol_run", "ol_dataset"]) {
      await h.rows(
        `UPDATE ${table} SET claimed_until = now() - interval '1 s' WHERE claimed_until IS NOT NULL`,
      );
    }
    await h.take();
    expect(await runs(jobOf(namespace, at))).toEqual([{ status: "RUNNING" }]);
    expect(await edges(jobOf(namespace, at))).toHaveLength(1);
  }
  expect(await h.rows("SELECT FROM ol_run WHERE dirty <> 0")).toEqual([]);
});

it("beyond the limit namespaces share a data source, which an intake warning names", async () => {
  for (let n = 0; n < 45; n++) await h.merge(run(`flood${n}`, "START"));
  await h.take();
  const [row] = await h.rows<{ count: number }>(
    "SELECT count(*)::int AS count FROM data_source WHERE starts_with(catrn, '//openlineage/')",
  );
  expect(row!.count).toBe(41);
  await h.deps.intakeWarnings.flush();
  expect(await h.rows("SELECT FROM openlineage_complaint WHERE kind = 'too_many'")).not.toEqual([]);
  expect(await runs(jobOf("flood44"))).toEqual([{ status: "RUNNING" }]);
});

it("state is forgotten after its time, but for the last three COMPLETE runs", async () => {
  const namespace = ns();
  for (let n = 1; n <= 5; n++) {
    h.clock.at += 1_000;
    await h.take(run(namespace, "COMPLETE", { n }));
  }
  h.clock.at += 31 * 24 * 3_600_000;
  await h.take();
  await sweep(h.deps);
  const retained = await h.rows<{ run_id: string }>(
    "SELECT run_id FROM ol_run WHERE job_key = $1 ORDER BY 1",
    jobOf(namespace),
  );
  expect(retained.map(({ run_id }) => run_id)).toEqual([3, 4, 5].map((n) => runIdOf(namespace, n)));
});
