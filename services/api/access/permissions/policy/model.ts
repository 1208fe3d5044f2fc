import type { PermissionResource } from "#contract/permissions.ts";

/** One key, and what it is compared with. */
type Comparison = Record<string, string>;

/** A condition of a statement: an object with exactly one of these members. */
export interface Condition {
  all?: Condition[];
  any?: Condition[];
  eq?: Comparison;
  not_eq?: Comparison;
  match?: Comparison;
  not_match?: Comparison;
  is?: string;
  not_is?: string;
}

/** Grants permissions on the resources of a type that meet its conditions. */
export interface Statement {
  resource: { type: PermissionResource; conditions?: Condition };
  /** `ALL` is every permission of the type. */
  permissions: string[];
}

/** A policy as it is written. */
export interface PolicyDocument {
  statements: Statement[];
}

/** Instead of a permission: all of the type. */
export const all = "ALL";
