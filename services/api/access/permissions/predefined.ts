/** Roles and policies that are always there; their names cannot be changed. */
export const predefined = {
  /** Role and policy of whoever the provider holds for an administrator. */
  administrator: "Administrator",
  /** Role of everybody else who has no other. */
  user: "User",
} as const;
