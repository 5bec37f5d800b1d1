# An image that runs `warpsan`, with PoCL as its driver:
#   docker build -t warpsan .
#   docker run --rm warpsan                           # warpsan doctor
#   docker run --rm -v "$PWD:/work" warpsan run ./program
# The first stage builds as tools/devroot does anywhere, since it is a Debian 13
# system; the second has the .deb and what it needs.
FROM debian:13-slim AS build
WORKDIR /warpsan
COPY tools tools
RUN tools/devroot want
COPY . .
RUN tools/devroot run cpack --config build/CPackConfig.cmake

FROM debian:13-slim
COPY --from=build /warpsan/build/dist/*.deb /tmp/
RUN apt-get update && \
    apt-get install -y --no-install-recommends /tmp/warpsan_*.deb pocl-opencl-icd && \
    rm -rf /tmp/warpsan_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["warpsan"]
CMD ["doctor"]
