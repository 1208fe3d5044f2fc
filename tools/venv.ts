// Python programs that tests and tools use, each in a virtual environment of its own in `.cache`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * The directory of the programs of a virtual environment, which is made again when its requirements have changed. They
 * are pinned, the indirect ones too.
 */
export function virtualEnvironment(name: string, requirements: string): string {
  const home = join(root, ".cache", name);
  const stamp = join(home, "installed.txt");
  const wanted = readFileSync(requirements, "utf8");
  const programs = join(home, "bin");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return programs;
  console.error(`Installing ${name}…`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(dirname(home), { recursive: true });
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { stdio: ["ignore", "ignore", "inherit"] });
  run("python3", "-m", "venv", home);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  run(join(programs, "python"), ...pip, "--no-deps", "--requirement", requirements);
  writeFileSync(stamp, wanted);
  return programs;
}
