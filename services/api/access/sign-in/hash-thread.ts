import bcrypt from "bcryptjs";
import { serveJobs } from "#kit/thread.ts";
import type { HashJob } from "#services/api/access/sign-in/credentials.ts";

// All are compared, so that the time does not reveal which one matched.
serveJobs<HashJob, string[]>(({ password, hashes }) =>
  hashes.filter((hash) => bcrypt.compareSync(password, hash))
);
