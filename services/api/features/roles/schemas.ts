import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { pageOf } from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/forms.ts";
import { Role } from "#contract/catalogue/people.ts";
import { Id } from "#contract/http.ts";
import { maxRolePolicies } from "#services/api/access/permissions/policy/limits.ts";

export const RoleList = pageOf("RoleList", Role);

/** Only the id is used; clients may send whole policies as other operations return them. */
const PolicyRef = z.object({ id: Id });

/** `policies`: all that the role has from then on. */
export const RoleForm = z.object({
  name: NameInput,
  policies: boundedArray(PolicyRef, maxRolePolicies),
}).openapi("RoleFormData");
export type RoleForm = z.output<typeof RoleForm>;
