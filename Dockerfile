# One image for all services; docker-compose.yml tells which one a container runs. Without a command
# it runs everything, with the embedded engines, and keeps its data in the volume.

FROM node:22.12.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
# Transpiled here, so that a container starts without it and writes nothing.
ENV DENO_DIR=/app/.deno
RUN node_modules/deno/deno cache main.ts tools/healthcheck.mjs && mkdir -p data

FROM debian:12.8-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /app tributary
WORKDIR /app
COPY --from=build /app /app
RUN chown -R tributary /app/data /app/.deno
USER tributary
ENV DENO_DIR=/app/.deno DENO_NO_UPDATE_CHECK=1 SERVER_HOST=0.0.0.0 SERVER_PORT=8080 LOG_FORMAT=json
VOLUME /app/data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node_modules/deno/deno", "run", "--no-prompt", "--allow-env=SERVER_PORT", "--allow-net=127.0.0.1", "tools/healthcheck.mjs"]
ENTRYPOINT ["node_modules/deno/deno"]
CMD ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-sys", "--allow-read", "--allow-write", "--allow-run", "main.ts", "--service", "all"]
