import { sqlState } from "#metadata/postgres/database.ts";

/** What a client is told of a rule that its change breaks. */
export interface Rules {
  unique?: () => Error;
  foreignKey?: () => Error;
}

/** Does `work`; where the database refuses it for a rule that is named here, throws that error instead. */
export async function withRules<T>(rules: Rules, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const broken = new Map([["23505", rules.unique], ["23503", rules.foreignKey]]);
    throw broken.get(sqlState(error) ?? "")?.() ?? error;
  }
}
