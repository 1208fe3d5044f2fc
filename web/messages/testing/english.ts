// Loads all messages of the interface, for tests of what uses them without a page: import it for its effect.
import { loadFirst, loadRest } from "#web/messages/load.ts";

await Promise.all([loadFirst(), loadRest()]);
