# Google's software Vulkan driver out of Debian's Chromium, and the Vulkan loader. Holds no Isobit: that comes on top.

ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG VERSION=*
ARG APT_SOURCES=
ARG APT_CA=

COPY install.sh /usr/local/sbin/isobit-install
# Of the browser only the driver stays; it needs nothing but the C library.
RUN sh /usr/local/sbin/isobit-install unpack /chromium "chromium-common=${VERSION}" \
    && mkdir -p /usr/share/isobit /usr/lib/swiftshader \
    && mv /chromium/usr/lib/chromium/libvk_swiftshader.so /usr/lib/swiftshader/ \
    && sed 's|"\./|"/usr/lib/swiftshader/|' /chromium/usr/lib/chromium/vk_swiftshader_icd.json \
        >/usr/share/isobit/icd.json \
    && mv /chromium/version /usr/share/isobit/packages \
    && rm -r /chromium \
    && sh /usr/local/sbin/isobit-install install libvulkan1 tini \
    && dpkg-query --show --showformat='${Package}=${Version}\n' libc6 libvulkan1 >>/usr/share/isobit/packages \
    && install --directory --owner=10001 --group=10001 /var/cache/isobit

# The loader takes the older name only before 1.3.207.
ENV VK_DRIVER_FILES=/usr/share/isobit/icd.json VK_ICD_FILENAMES=/usr/share/isobit/icd.json \
    MESA_SHADER_CACHE_DIR=/var/cache/isobit XDG_RUNTIME_DIR=/tmp HOME=/tmp
USER 10001:10001
# As the first process of a container a worker could not end itself by `abort`; below this one it can.
ENTRYPOINT ["/usr/bin/tini", "--"]
