// What root does before the embedded engines start: see tools/places.mjs. Prints which script runs the
// server.
import process from "node:process";
import { messageOf } from "#kit/errors.ts";
import { prepareEmbedded } from "#metadata/postgres/embedded.ts";

try {
  console.log(await prepareEmbedded(process.argv[2]!));
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
