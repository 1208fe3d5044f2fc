import { bounded } from "#kit/text.ts";
import { masked, secretKey } from "#platform/secrets.ts";
import { maxBeginning } from "#services/api/features/ops/bounds.ts";

/** Bytes that are looked at: more than are shown, so that a secret is not cut before it is recognised. */
const maxScanned = 16 * maxBeginning;

/** A member of JSON whose value is a text, which may have no end. */
const textMember = /"([^"\\]{1,100})"(\s{0,10}:\s{0,10})"((?:[^"\\]|\\.)*)/gs;

/** The first characters of a record, without what its names say is a secret; null for what is no text. */
export function beginningOf(value: Uint8Array): string | null {
  const text = textOf(value.subarray(0, maxScanned));
  if (text === null) return null;
  const hidden = text.replaceAll(
    textMember,
    (whole, name: string, between: string) =>
      secretKey.test(name) ? `"${name}"${between}"***` : whole,
  );
  return bounded(masked(hidden), maxBeginning);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    // As part of a stream: the last character may be cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
