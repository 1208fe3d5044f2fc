// Lets commands that are started at once do one after the other what they write to the same files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Waits until no other process has this turn, and takes it; that of a process that died is taken over.
 * @param {string} root
 * @param {string} name of the file in `.cache` that says who has it
 * @returns {() => void} gives it back
 */
export function takeTurn(root, name) {
  const lock = join(root, ".cache", name);
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const holder = holderOf(lock);
      // Read again: its holder may have given it to another process and ended meanwhile.
      if (!isAlive(holder) && holderOf(lock) === holder) rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
}

/** This process while nobody is named: the holder is about to write its number, or has just gone. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8") || process.pid);
  } catch {
    return process.pid;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
