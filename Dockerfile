# The local server as an image: `docker build -t frontdesk .`, then see docs/deployment.md.

FROM node:24-alpine AS package
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-alpine
COPY --from=package /tmp/frontdesk-*.tgz /tmp/frontdesk.tgz
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/frontdesk.tgz \
  && rm -rf /tmp/frontdesk.tgz /root/.npm \
  && install -d -o node -g node -m 0700 /var/lib/frontdesk

# Every command of this image works on the state of the volume: its owner alone may enter it.
ENV FRONTDESK_DATA_DIR=/var/lib/frontdesk NODE_ENV=production
VOLUME /var/lib/frontdesk
USER node
WORKDIR /home/node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["frontdesk"]
# A container's network is its own; what is published beyond the machine belongs behind TLS. Its volume is its own too, and a
# container that was killed cannot be told from outside to have ended: --force takes its lock over.
CMD ["server", "start", "--force", "--host", "0.0.0.0", "--port", "8080", "--insecure-http", "--allowed-host", "frontdesk:*", "--allowed-host", "localhost:*", "--public-url", "http://localhost:8080"]
