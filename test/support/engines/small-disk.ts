import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterwards } from "./afterwards.ts";

/** A disk of its own that can be filled to its last byte. */
export interface SmallDisk {
  path: string;
  fill(): void;
  free(): void;
  unmount(): void;
}

/** Bytes that are filled one block after another, since others write to the disk as well. */
const slack = 4_194_304;

/** A disk of so many megabytes in memory; null where nobody may mount one (root is needed). */
export function smallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "tributary-disk-"));
  try {
    const options = `size=${megabytes}m,mode=755`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  chmodSync(path, 0o755);
  const filler = join(path, "filler");
  const release = afterwards(`umount --lazy ${path}; rmdir ${path}`);
  return {
    path,
    fill() {
      const free = execFileSync("df", ["--output=avail", "-B1", path], { encoding: "utf8" });
      const bytes = Number(free.trim().split("\n").at(-1)) - slack;
      // What others write meanwhile takes the rest, or what follows does.
      if (bytes > 0) spawnSync("fallocate", ["-l", String(bytes), filler]);
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=64k", "oflag=append", "conv=notrunc"]);
    },
    free: () => rmSync(filler, { force: true }),
    unmount() {
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true, force: true });
      release();
    },
  };
}
