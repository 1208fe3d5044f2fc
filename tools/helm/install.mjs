// Brings `helm` and `kubeconform`, with which the chart is rendered and validated, into `.cache/helm`. Both are built from
// their Go modules, whose contents Go itself verifies. Plain Node, since CI starts it while other checks run.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { takeTurn } from "../turn.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = join(root, ".cache", "helm");
const programs = join(home, "bin");
const stamp = join(home, "installed.txt");

const modules = [
  "helm.sh/helm/v3/cmd/helm@v3.18.4",
  "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0",
];

/** How to get what is missing. */
export const howToInstallGo = "install Go 1.24 or newer, with which helm and kubeconform are built";

const candidates = ["go", "/usr/local/go/bin/go"];

/** The command of Go; undefined where there is none. */
function goCommand() {
  return candidates.find((go) => spawnSync(go, ["version"], { stdio: "ignore" }).status === 0);
}

function isCurrent() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === modules.join("\n");
}

/** Whether the programs are there or can be built. */
export function canHaveHelm() {
  return isCurrent() || goCommand() !== undefined;
}

/**
 * The folder of `helm` and `kubeconform`, built when they are missing or of other versions; that takes minutes. Throws when
 * there is no Go.
 */
export function helmPrograms() {
  if (isCurrent()) return programs;
  const release = takeTurn(root, "installing-helm");
  try {
    if (!isCurrent()) build();
    return programs;
  } finally {
    release();
  }
}

function build() {
  const go = goCommand();
  if (!go) throw new Error(`There is no Go: ${howToInstallGo}`);
  console.error("Building helm and kubeconform…");
  mkdirSync(programs, { recursive: true });
  // Building takes longer than all that they are used for: nothing is optimized, nothing needs a C compiler.
  const env = { ...process.env, GOBIN: programs, GOFLAGS: "", CGO_ENABLED: "0" };
  for (const module of modules) {
    execFileSync(go, ["install", "-gcflags=all=-N -l", "-ldflags=-s -w", module], {
      env,
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  writeFileSync(stamp, modules.join("\n"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) helmPrograms();
