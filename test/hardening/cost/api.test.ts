import { apiCases } from "./api.ts";
import { boundsCost } from "./suite.ts";

boundsCost("API", apiCases());
