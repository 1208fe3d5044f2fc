import { createHash } from "node:crypto";

/**
 * One text for equal values: JSON with sorted keys and without undefined members; bigints are
 * written as plain digits.
 */
export function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const object = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${JSON.stringify(key)}:${canonical(member)},`;
  }
  return `{${text}}`;
}

/** SHA-256 of a text, hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
