import {
  type Permission,
  type PermissionResource,
  permissionsByResource,
} from "#contract/permissions.ts";
import { compilePattern } from "#kit/pattern.ts";
import { allPermissions, type Condition, type PolicyDocument } from "./document.ts";

/** What conditions see of a resource. */
export interface Subject {
  /** Values by key; an attribute that the resource has not is left out. */
  attributes: ReadonlyMap<string, readonly string[]>;
  /** How the caller stands to it: keys of `is` that hold. */
  relations: ReadonlySet<string>;
}

/** Whether a condition holds. */
type Test = (subject: Subject) => boolean;

/** A statement that is ready to be evaluated. */
export interface Grant {
  type: PermissionResource;
  permissions: readonly Permission[];
  /** Absent where it holds for every resource of the type. */
  test?: Test;
}

/** What some policies allow. Nothing in it takes a permission away. */
export class Rules {
  /** What holds for every resource of a type. */
  readonly #always = new Map<PermissionResource, Set<Permission>>();
  readonly #conditional: Required<Grant>[] = [];

  constructor(grants: Iterable<Grant>) {
    for (const { type, permissions, test } of grants) {
      if (test) this.#conditional.push({ type, permissions, test });
      else {
        const known = this.#always.get(type) ?? new Set();
        this.#always.set(type, known.union(new Set(permissions)));
      }
    }
  }

  /** Whether the permission is held on every resource of the type. */
  holds(type: PermissionResource, permission: Permission): boolean {
    return this.#always.get(type)?.has(permission) ?? false;
  }

  /** Whether the permission may be held on some resources of the type. */
  mayBeGranted(type: PermissionResource, permission: Permission): boolean {
    return this.#conditional.some((grant) =>
      grant.type === type && grant.permissions.includes(permission)
    );
  }

  /** Whether the permission is held on this resource. */
  allowsOn(subject: Subject, type: PermissionResource, permission: Permission): boolean {
    return this.holds(type, permission) ||
      this.#conditional.some((grant) =>
        grant.type === type && grant.permissions.includes(permission) && grant.test(subject)
      );
  }

  /** All permissions that are held on a resource; without one, on every resource of the type. */
  granted(type: PermissionResource, subject?: Subject): Set<Permission> {
    const granted = new Set(this.#always.get(type));
    for (const grant of subject ? this.#conditional : []) {
      if (grant.type !== type || grant.permissions.every((one) => granted.has(one))) continue;
      if (grant.test(subject!)) { for (const one of grant.permissions) granted.add(one); }
    }
    return granted;
  }
}

/** The statements of a policy, ready to be evaluated. */
export function compilePolicy({ statements }: PolicyDocument): Grant[] {
  return statements.map(({ resource: { type, conditions }, permissions }) => ({
    type,
    permissions: permissions.includes(allPermissions)
      ? permissionsByResource[type]
      : permissions as Permission[],
    ...(conditions ? { test: compiled(conditions) } : {}),
  }));
}

function compiled(condition: Condition): Test {
  const { all, any, eq, not_eq, match, not_match, is, not_is } = condition;
  if (all) return every(all.map(compiled));
  if (any) return some(any.map(compiled));
  if (eq) return equal(eq);
  if (not_eq) return not(equal(not_eq));
  if (match) return matching(match);
  if (not_match) return not(matching(not_match));
  if (is !== undefined) return ({ relations }) => relations.has(is);
  if (not_is !== undefined) return ({ relations }) => !relations.has(not_is);
  throw new Error("a condition without a member was let through");
}

const not = (test: Test): Test => (subject) => !test(subject);
const every = (tests: Test[]): Test => (subject) => tests.every((test) => test(subject));
const some = (tests: Test[]): Test => (subject) => tests.some((test) => test(subject));

/** Of several values, one is enough. */
function having(
  comparison: Record<string, string>,
  fits: (given: string) => (value: string) => boolean,
): Test {
  const [[key, given]] = Object.entries(comparison) as [[string, string]];
  const test = fits(given);
  return ({ attributes }) => attributes.get(key)?.some(test) ?? false;
}

const equal = (comparison: Record<string, string>) =>
  having(comparison, (given) => (value) => value === given);
const matching = (comparison: Record<string, string>) => having(comparison, compilePattern);
