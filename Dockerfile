# Skilldock: docker build -t skilldock . && docker run --init -p 127.0.0.1:3000:3000 -v skilldock:/var/lib/skilldock skilldock

FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The compiler and the types; the build is called below, when the sources are there.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY demo ./demo
COPY data ./data
COPY views ./views
RUN npm run build

FROM node:22-slim AS host
ENV NODE_ENV=production \
    DATA_DIR=/var/lib/skilldock
WORKDIR /app
COPY package.json package-lock.json ./
# No script is needed: the store's engine comes prebuilt as an optional package.
# sbom.cdx.json lists the libraries of this image for scanners.
RUN npm ci --omit=dev --ignore-scripts \
    && npm sbom --package-lock-only --sbom-format cyclonedx --omit dev > sbom.cdx.json \
    && npm cache clean --force
COPY bin ./bin
COPY data ./data
COPY views ./views
COPY demo/views ./demo/views
COPY docs ./docs
COPY manifest.yml CONTRIBUTING.md ./
COPY --from=build /app/dist ./dist
# A new volume takes over the owner of the folder it is mounted on.
RUN mkdir -p "$DATA_DIR" && chown node:node "$DATA_DIR" && chmod 700 "$DATA_DIR"
LABEL org.opencontainers.image.title="Skilldock" \
      org.opencontainers.image.licenses="Apache-2.0"
USER node
VOLUME /var/lib/skilldock
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "bin/skilldock.js", "serve"]

# With OpenTelemetry, for the settings that begin with OTEL_: docker build --target traced .
FROM host AS traced
COPY --from=build /app/node_modules/@opentelemetry ./node_modules/@opentelemetry

# What is built without "--target".
FROM host
