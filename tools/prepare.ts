// The part that root runs before the embedded engines start: see tools/paths.mjs. Prints the path of the
// script that runs the server.
import process from "node:process";
import { messageOf } from "#kit/errors.ts";
import { prepareEmbedded } from "#metadata/postgres/embedded.ts";

try {
  console.log(await prepareEmbedded(process.argv[2]!));
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
