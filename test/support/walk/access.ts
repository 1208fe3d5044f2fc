import { page, type Step } from "#test/support/walk/step.ts";

const id = (name: string) => ({ id }: { id: number }) => ({ [name]: id });
const policy = JSON.stringify({
  statements: [{ resource: { type: "TERM" }, permissions: ["TERM_UPDATE"] }],
});
const requests = "/api/owner_association_request";

/** Operations on who may do what. */
export const access: Step[] = [
  ["whoami", () => ["GET", "/api/identity/whoami"]],
  ["getAppInfo", () => ["GET", "/api/appInfo"]],
  ["getActiveFeatures", () => ["GET", "/api/features/active"]],
  ["getPolicySchema", () => ["GET", "/api/policies/schema"]],
  ["createPolicy", () => ["POST", "/api/policies", { name: "walked", policy }], id("policy")],
  ["getPolicyDetails", ({ policy }) => ["GET", `/api/policies/${policy}`]],
  [
    "updatePolicy",
    ({ policy: of }) => ["PUT", `/api/policies/${of}`, { name: "renamed", policy }],
  ],
  [
    "createRole",
    ({ policy }) => ["POST", "/api/roles", { name: "walked", policies: [{ id: policy }] }],
    id("role"),
  ],
  ["updateRole", ({ role }) => ["PUT", `/api/roles/${role}`, { name: "renamed", policies: [] }]],
  ["deleteRole", ({ role }) => ["DELETE", `/api/roles/${role}`]],
  ["deletePolicy", ({ policy }) => ["DELETE", `/api/policies/${policy}`]],
  [
    "getResourcePermissions",
    ({ entity }) => ["GET", `/api/resource/DATA_ENTITY/${entity}/permissions`],
  ],
  ["getAuthProviders", () => ["GET", "/api/owners/providers"]],
  ["createOwner", () => ["POST", "/api/owners", { name: "bound" }], id("owner")],
  [
    "createUserOwnerMapping",
    ({ owner }) => ["POST", "/api/owners/mapping", { owner_id: owner, oidc_username: "bob" }],
  ],
  ["deleteActiveUserOwnerMapping", ({ owner }) => ["DELETE", `/api/owners/mapping/${owner}`]],
  ["getOwnerAssociationRequestList", () => ["GET", `${requests}?${page}&status=PENDING`]],
  [
    "getOwnerAssociationRequestActivityList",
    () => ["GET", `${requests}/activity?${page}&status=APPROVED`],
  ],
];

/** Operations of somebody who has signed in. */
export const signedIn: Step[] = [
  ["createPersonalToken", () => ["POST", "/api/identity/tokens", { name: "ci" }], id("token")],
  ["getPersonalTokens", () => ["GET", `/api/identity/tokens?${page}`]],
  ["deletePersonalToken", ({ token }) => ["DELETE", `/api/identity/tokens/${token}`]],
  ["createPersonalToken", () => ["POST", "/api/identity/tokens", { name: "other" }]],
  ["deletePersonalTokensOfUser", () => ["DELETE", "/api/identity/tokens?username=ada"]],
  ["createOwnerAssociationRequest", () => ["POST", requests, { name: "asked" }]],
];
