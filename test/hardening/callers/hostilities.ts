import { createHmac } from "node:crypto";
import { browserAt } from "#test/support/sign-in/browser.ts";
import { bearer, sameBrowserAt } from "#test/support/sign-in/entering.ts";
import { type Ground, uploadsOf } from "./ground.ts";

/** What a hostile caller needs to know. */
export type Target = Pick<Ground, "urls" | "deep" | "entities" | "large" | "mallory">;

const from = { "x-forwarded-for": "203.0.113.66" };

/** Does its worst once, one of many at the same time; the answer's status. */
type Hostility = (target: Target, url: string, n: number, stop: AbortSignal) => Promise<number>;

/** Hostile callers by kind, and how many requests each has at the same time. */
export const hostilities: Record<string, { concurrency: number; once: Hostility }> = {
  "sign-in flood": {
    concurrency: 40,
    once: async (_, url, n) =>
      await statusOf(
        await browserAt(url).post("/login", { username: `user ${n}`, password: "x" }, from),
      ),
  },
  "deep lineage": {
    concurrency: 40,
    async once({ mallory, deep }, url) {
      const path = `/api/dataentities/${deep}/lineage/downstream?lineage_depth=20`;
      return await statusOf(await sameBrowserAt({ url }, mallory).get(path, from));
    },
  },
  "slow downloads": {
    concurrency: 64,
    async once({ mallory, entities, large }, url, _, stop) {
      const path = `/api/dataentities/${entities[0]}/files/${large}`;
      const response = await sameBrowserAt({ url }, mallory).get(path, from);
      // Nothing is read until this ends.
      if (response.status === 200) await ended(stop);
      await response.body?.cancel();
      return response.status;
    },
  },
  "unfinished uploads": {
    concurrency: 10,
    async once({ mallory, entities }, url, n) {
      const path = uploadsOf(entities[n % entities.length]!);
      const answer = await sameBrowserAt({ url }, mallory).call(
        "POST",
        path,
        { fileName: "x" },
        from,
      );
      return answer.status;
    },
  },
  "token guesses": {
    concurrency: 20,
    async once(_, url, n) {
      const headers = { ...bearer(`guess ${n}`), ...from };
      return await statusOf(await fetch(`${url}/api/identity/whoami`, { headers }));
    },
  },
  "chat events": {
    concurrency: 40,
    async once(_, url) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const hmac = createHmac("sha256", "another secret").update(timestamp).digest("hex");
      const headers = {
        ...from,
        "content-type": "application/json",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${hmac}`,
      };
      const init = { method: "POST", headers, body: `{"a":"${"x".repeat(500_000)}"}` };
      return await statusOf(await fetch(`${url}/api/chat/events`, init));
    },
  },
};

/** The status of an answer that has been read to its end. */
async function statusOf(answer: Response): Promise<number> {
  await answer.text();
  return answer.status;
}

const ended = (stop: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
