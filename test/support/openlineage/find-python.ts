import { spawnSync } from "node:child_process";

/** Whether there is a Python with which virtual environments can be made, for clients that tests run. */
export function findPython(): boolean {
  return spawnSync("python3", ["-c", "import venv, ensurepip"], { stdio: "ignore" }).status === 0;
}
