# The server in a container. Build from the root of the repository: docker build -t almoner .
#
# The base image is pinned by tag: the version of Node is the one that package.json pins, which test/deploy.test.ts holds. Pin the digest
# too where builds must be repeatable: `docker buildx imagetools inspect node:24.21.0-bookworm-slim` prints it, and it goes behind the tag
# in the next line as @sha256:…
FROM node:24.21.0-bookworm-slim AS base

FROM base AS build
WORKDIR /app
# All of it at once: with the lockfile, the manifest of every package is needed, and .dockerignore leaves little else.
COPY . .
# What builds it, the build, and then the built server with the packages that it still loads; no package runs a script of its own.
RUN --mount=type=cache,target=/pnpm \
    npx -y pnpm@12.21.0 install --prod --frozen-lockfile --ignore-scripts --store-dir /pnpm \
    && node tools/bundle/src/build.ts \
    && npx -y pnpm@12.21.0 deploy --prod --ignore-scripts --store-dir /pnpm --filter "@almoner/bundle" /out
# A checkout may be readable by its owner alone.
RUN rm -rf /out/src /out/test && chmod -R a+rX /out

FROM base
# glibc keeps memory for each thread that images were decoded in: two places instead of eight a core are 20 MB less. Uploaded portfolios are
# unpacked in the volume, so that nothing else has to be writable.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    TMPDIR=/data \
    ALMONER_HOST=0.0.0.0 \
    ALMONER_DATABASE=sqlite:/data/almoner.db \
    ALMONER_MEDIA=file:/data/media
# The program is root's: who serves cannot change it. Compiled code is cached nowhere then, which makes a start slower.
COPY --from=build /out /app/tools/bundle
RUN ln -s /app/tools/bundle/almoner.js /usr/local/bin/almoner \
    && install -d -o node -g node -m 0700 /data
USER node
# Whether all that the server is made of came with it.
RUN almoner openapi > /dev/null
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Live, not ready: a container is not to be restarted because the database is away. Balancers ask /health/ready.
# A new agent uses no proxy, also where HTTP_PROXY is set; ALMONER_PORT may be that of a Kubernetes Service.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ agent: false, host: '127.0.0.1', port: Number(process.env.ALMONER_PORT) || 3000, path: '/health/live' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))"]
ENTRYPOINT ["node", "--min-semi-space-size=4", "/app/tools/bundle/almoner.js"]
CMD ["serve"]
