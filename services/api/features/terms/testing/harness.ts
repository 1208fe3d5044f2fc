import { expect } from "vitest";
import { termRoutes } from "#services/api/features/terms/routes.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

/** A form of a term. */
const form = (name: string, namespace_name = "glossary", definition = "what it is") => ({
  name,
  namespace_name,
  definition,
});

/** The glossary under test, with further operations if given. Call it at the top of a test file. */
export function glossaryUnderTest(others: (context: Context) => Route[] = () => []) {
  const { api, database } = featureUnderTest((context) => [
    ...termRoutes(context),
    ...others(context),
  ]);
  /** A new term; its id. */
  const make = async (...given: Parameters<typeof form>): Promise<number> => {
    const answer = await api.post("/api/terms", form(...given));
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return answer.json.id;
  };
  const named = (namespace: string, name: string) => {
    const [one, other] = [namespace, name].map(encodeURIComponent);
    return api.get(`/api/terms/namespaces/${one}/names/${other}`);
  };
  return { api, database, form, make, named };
}
