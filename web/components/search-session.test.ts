import { expect, test } from "vitest";
import { ApiError } from "#web/api/errors.ts";
import { SearchSession } from "#web/components/search-session.ts";

function service() {
  const calls: string[] = [];
  const sessions = new Map<string, string>();
  const known = (id: string) => {
    if (!sessions.has(id)) throw new ApiError("gone", 404);
  };
  return {
    calls,
    forget: () => sessions.clear(),
    operations: {
      create: (query: string) => {
        const id = `s${calls.length}`;
        sessions.set(id, query);
        calls.push(`create ${query}`);
        return Promise.resolve({ search_id: id });
      },
      change: async (id: string, query: string) => {
        await Promise.resolve(known(id));
        sessions.set(id, query);
        calls.push(`change ${query}`);
      },
      results: async (id: string, page: number) => {
        await Promise.resolve(known(id));
        return `${sessions.get(id)} ${page}`;
      },
    },
  };
}
const { signal } = new AbortController();

test("one search serves all texts, and each page belongs to its text", async () => {
  const { calls, operations } = service();
  const session = new SearchSession(operations);
  const pages = [session.page("a", 1, signal), session.page("b", 1, signal)];
  expect(await Promise.all([...pages, session.page("a", 2, signal)])).toEqual([
    "a 1",
    "b 1",
    "a 2",
  ]);
  expect(calls).toEqual(["create a", "change b", "change a"]);
});

test("a search that the service has forgotten is made again", async () => {
  const { calls, operations, forget } = service();
  const session = new SearchSession(operations);
  await session.page("a", 1, signal);
  forget();
  expect(await session.page("b", 1, signal)).toBe("b 1");
  expect(calls).toEqual(["create a", "create b"]);
});

test("what nobody waits for is not asked, and a failure does not stop the next", async () => {
  const { calls, operations } = service();
  const session = new SearchSession(operations);
  await expect(session.page("a", 1, AbortSignal.abort())).rejects.toThrow();
  expect(await session.page("b", 1, signal)).toBe("b 1");
  expect(calls).toEqual(["create b"]);
});
