export { ChangeHub } from "#services/api/features/changes/hub.ts";
export { readOnce } from "#services/api/features/changes/once.ts";
