/** Roles and policies that are always there; their names cannot be changed. */
export const predefined = {
  /** Role and policy of a user whom the provider lists as an administrator. */
  administrator: "Administrator",
  /** Role of everybody else who has no other. */
  user: "User",
} as const;
