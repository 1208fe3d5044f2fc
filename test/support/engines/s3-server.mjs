// An S3 server over a directory, in a process of its own so that it can be ended and frozen:
// s3-server.mjs <directory> <port> <bucket> [<certificate> <key>]
import { readFileSync } from "node:fs";
import process from "node:process";
import S3rver from "@20minutes/s3rver";

const [directory, port, bucket, cert, key] = process.argv.slice(2);
await new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  directory,
  configureBuckets: [{ name: bucket }],
  silent: true,
  ...(cert ? { cert: readFileSync(cert), key: readFileSync(key) } : {}),
}).run();
