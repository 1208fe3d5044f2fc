import { describe } from "vitest";
import { openLineageFaults } from "./openlineage.ts";

describe("faults of OpenLineage, embedded engines", () => openLineageFaults("embedded"));
