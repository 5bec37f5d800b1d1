# An image in which WarpSan is built and works. The packages are those of
# tools/packages/build.txt: tools/devroot installs them here as it does in its
# own root, since this is a Debian 13 system.
FROM debian:13-slim

WORKDIR /warpsan
COPY tools tools
RUN tools/devroot want && rm -rf /var/lib/apt/lists/*

COPY . .
RUN tools/devroot run warpsan --version
ENV PATH=/warpsan/build/bin:$PATH
CMD ["warpsan", "doctor"]
