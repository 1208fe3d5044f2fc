import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";

/** Most bytes that are read of one log, from its end, and most logs. */
const maxBytes = 1_000_000;
const maxLogs = 20;

/** Log files: those that are named, and those in folders that are named. */
export function logFiles(paths: string[]): string[] {
  const files = paths.filter((path) => existsSync(path)).flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path).filter((name) => name.endsWith(".log")).sort().map((name) =>
      join(path, name)
    );
  });
  return files.slice(0, maxLogs);
}

/** The last lines of a file; at most a megabyte of them. */
export function lastLines(file: string, count: number): string {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    const length = Math.min(size, maxBytes);
    const bytes = new Uint8Array(length);
    readSync(descriptor, bytes, 0, length, size - length);
    const lines = new TextDecoder().decode(bytes).split("\n");
    // The first one is cut where not all of the file was read.
    const whole = length < size ? lines.slice(1) : lines;
    return whole.slice(-count - 1).join("\n");
  } finally {
    closeSync(descriptor);
  }
}

/** Name of a log in the bundle; the place in the list distinguishes two files of one name. */
export function entryOf(file: string, at: number): string {
  return `logs/${at + 1}-${basename(file)}`;
}
