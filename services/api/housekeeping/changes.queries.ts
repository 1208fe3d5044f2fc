/** Changes that are retained for clients who follow them, none for longer than an hour. */
export const maxChanges = 100_000;

/** $1 how many are stored, $2 most rows at once; returns the number of rows. */
export const forgetChanges = "SELECT changes_forget($1, $2) AS count";
