// Exits with 0 when the service of this container is ready. Run by Docker, see Dockerfile.
import process from "node:process";

const url = `http://127.0.0.1:${process.env.SERVER_PORT ?? 8080}/health/ready`;
try {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error(`${url} answers ${status}`);
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
