import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { type SourceServer, startSourceServer } from "./server.ts";
import { canHaveGoPrograms, goPrograms } from "../../../tools/go-programs.mjs";

const programs = {
  name: "versitygw",
  modules: ["github.com/versity/versitygw/cmd/versitygw@v1.8.0"],
};

/** Whether the server is there or can be built. */
export const canHaveS3 = () => canHaveGoPrograms(programs);

/** VersityGW, which serves S3 from a folder: it checks signatures, the region and the account as Amazon does. */
export interface S3SourceServer extends SourceServer {
  account: { accessKey: string; secretKey: string };
  /** Folder of the objects of a bucket. */
  folderOf(bucket: string): string;
  put(bucket: string, key: string, bytes: Uint8Array): Promise<void>;
}

/** Starts a server with these buckets, which are empty. Call `stop` in `afterAll`. */
export async function startS3Source(...buckets: string[]): Promise<S3SourceServer> {
  const account = { accessKey: "reader", secretKey: "s3cret-key-of-the-bucket" };
  const program = join(goPrograms(programs), "versitygw");
  const folderOf = (folder: string) => (bucket: string) => join(folder, "buckets", bucket);
  const server = await startSourceServer({
    name: "s3",
    command: (folder, port) => {
      for (const bucket of buckets) mkdirSync(folderOf(folder)(bucket), { recursive: true });
      return [program, "--quiet", "--port", `127.0.0.1:${port}`, "posix", join(folder, "buckets")];
    },
    env: () => ({
      ROOT_ACCESS_KEY_ID: account.accessKey,
      ROOT_SECRET_ACCESS_KEY: account.secretKey,
    }),
    // A stranger is refused as soon as it listens.
    answers: (url) => fetch(url).then((answer) => answer.body?.cancel()),
  });
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = account;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region: "us-east-1",
    service: "s3",
  });
  return {
    ...server,
    account,
    folderOf: folderOf(server.folder),
    async put(bucket, key, bytes) {
      const path = key.split("/").map(encodeURIComponent).join("/");
      const init = { method: "PUT", body: bytes as never };
      const answer = await client.fetch(`${server.url}/${bucket}/${path}`, init);
      if (!answer.ok) throw new Error(`PUT ${key}: ${answer.status} ${await answer.text()}`);
      await answer.body?.cancel();
    },
  };
}
