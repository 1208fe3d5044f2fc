import { serveJobs } from "#kit/thread.ts";
import type { ReadProposals } from "#platform/datahub/read.ts";
import { evaluateBody, type EvaluationJob } from "./evaluate.ts";

serveJobs<EvaluationJob, ReadProposals>((job, body) => evaluateBody(body, job));
