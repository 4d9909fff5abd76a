# A linker and the C library of a Debian release, for a runner that loads in that release and every later one. The Rust
# toolchain is the host's, mounted when the container runs.

ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG APT_SOURCES=
ARG APT_CA=
COPY install.sh /usr/local/sbin/isobit-install
RUN sh /usr/local/sbin/isobit-install install gcc libc6-dev \
    && mkdir -p /usr/share/isobit \
    && dpkg-query --show --showformat='${Package}=${Version}\n' libc6 libc6-dev gcc >/usr/share/isobit/packages
