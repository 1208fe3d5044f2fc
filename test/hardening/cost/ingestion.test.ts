import { ingestionCases } from "./ingestion.ts";
import { boundsCost } from "./suite.ts";

boundsCost("ingestion", ingestionCases());
