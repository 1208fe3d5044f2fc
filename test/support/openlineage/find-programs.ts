import { spawnSync } from "node:child_process";

const works = (file: string, ...args: string[]) =>
  spawnSync(file, args, { stdio: "ignore" }).status === 0;

/** Whether there is a Python with which virtual environments can be made, for clients that tests run. */
export function findPython(): boolean {
  return works("python3", "-c", "import venv, ensurepip");
}

/** Whether there are Maven and a Java that compiles, for clients that tests run. */
export function findJava(): boolean {
  return works("javac", "-version") && works("mvn", "-version");
}
