import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A clock for processes that are started with `env`, which jumps when it is told to; timers go on undisturbed. */
export interface FakeClock {
  env: Record<string, string>;
  /** From now on the clock is so many seconds ahead, or behind where negative. */
  set(seconds: number): void;
  remove(): void;
}

/** Where Debian's package `libfaketime` is; null when it is not installed. */
function libraryPath(): string | null {
  const found = readdirSync("/usr/lib").map((name) =>
    join("/usr/lib", name, "faketime/libfaketimeMT.so.1")
  ).find(existsSync);
  return found ?? null;
}

/** Null without libfaketime (`apt-get install libfaketime`). */
export function fakeClock(): FakeClock | null {
  const library = libraryPath();
  if (!library) return null;
  const folder = mkdtempSync(join(tmpdir(), "tributary-clock-"));
  const file = join(folder, "offset");
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}`);
  set(0);
  return {
    set,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
