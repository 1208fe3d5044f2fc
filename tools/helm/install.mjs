// Brings `helm` and `kubeconform`, with which the chart is rendered and validated, into `.cache/helm`.
import { canHaveGoPrograms, goPrograms } from "../go-programs.mjs";

const programs = {
  name: "helm",
  modules: [
    "helm.sh/helm/v3/cmd/helm@v3.18.4",
    "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0",
  ],
};

/** How to get what is missing. */
export const howToInstallGo = "install Go 1.24 or newer, with which helm and kubeconform are built";

/** Whether the programs are there or can be built. */
export const canHaveHelm = () => canHaveGoPrograms(programs);

/**
 * The folder of `helm` and `kubeconform`, built when they are missing or of other versions; that takes minutes. Throws when
 * there is no Go.
 */
export const helmPrograms = () => goPrograms(programs);
