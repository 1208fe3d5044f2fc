import process from "node:process";
import bcrypt from "bcryptjs";
import { runCommand } from "./command.ts";

const usage = `Usage: npm run password < file-with-the-password

Reads a password from standard input, its last line break left out, and prints its bcrypt hash, which
auth.login-form-credentials takes in place of the password.

Exit codes: 0 printed, 1 could not be done, 2 wrong use.`;

/** Rounds as a power of two: a quarter of a second for each attempt at a password. */
const cost = 12;
/** bcrypt ignores what comes after it. */
const longestBytes = 72;

/** The bcrypt hash of a password. Throws an error for one that is empty, or of more than 72 bytes. */
export function hashOf(password: string): Promise<string> {
  if (password === "") throw new Error("The password is empty");
  if (new TextEncoder().encode(password).length > longestBytes) {
    throw new Error(`The password is longer than ${longestBytes} bytes, which bcrypt would cut`);
  }
  return bcrypt.hash(password, cost);
}

async function main(args: string[]): Promise<number> {
  if (args.length > 0) {
    console.error(usage);
    return 2;
  }
  if (process.stdin.isTTY) process.stderr.write("Password (will be shown as you type): ");
  console.log(await hashOf(await firstLine()));
  return 0;
}

/** The first line of standard input; it ends there, so that a terminal needs no end of file. */
async function firstLine(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of process.stdin) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/, 1)[0]!;
}

if (import.meta.main) await runCommand(main);
