import { describe } from "vitest";
import { traceFaults } from "./traces.ts";

describe("faults of traces, embedded engines", () => traceFaults("embedded"));
