import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file in which the processes of a run note what they have checked for accessibility. */
export const checkedFile = (run: string) => join(tmpdir(), `tributary-checked-${run}`);
