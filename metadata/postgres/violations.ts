import { sqlState } from "#metadata/postgres/database.ts";

/** The errors for a change that violates a unique or foreign key constraint. */
export interface Rules {
  unique?: Rule;
  foreignKey?: Rule;
}

/** The transaction has ended when it is called with an error. */
type Rule = () => Error | Promise<Error>;

/** Runs `work`; throws the error of `rules` instead of the violation it stands for. */
export async function withRules<T>(rules: Rules, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const broken = new Map([["23505", rules.unique], ["23503", rules.foreignKey]]);
    throw await broken.get(sqlState(error) ?? "")?.() ?? error;
  }
}
