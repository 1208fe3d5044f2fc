import { readFileSync } from "node:fs";
import { messageOf } from "#kit/errors.ts";

/** PEM of a private certificate authority; undefined without a file. Throws an error that names `key`. */
export function readAuthority(key: string, file: string | undefined): string | undefined {
  if (!file) return undefined;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${key}: ${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new Error(`${key}: ${file} holds no certificate in PEM`);
}
