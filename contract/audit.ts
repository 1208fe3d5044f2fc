/** What is kept for auditors, and who may ask for it (`AUDIT_VIEW`). */
export const auditEventTypes = [
  "SIGNED_IN",
  "SIGN_IN_FAILED",
  "SIGN_IN_THROTTLED",
  "SIGNED_OUT",
  "REFUSED",
  "TOKEN_MINTED",
  "TOKEN_REGENERATED",
  "TOKEN_REVOKED",
  "POLICY_CREATED",
  "POLICY_CHANGED",
  "POLICY_DELETED",
  "ROLE_CREATED",
  "ROLE_CHANGED",
  "ROLE_DELETED",
  "OWNER_ROLES_CHANGED",
  "OWNER_BOUND",
  "OWNER_UNBOUND",
  "OWNER_REQUESTED",
  "OWNER_REQUEST_APPROVED",
  "OWNER_REQUEST_DECLINED",
] as const;
export type AuditEventType = (typeof auditEventTypes)[number];
