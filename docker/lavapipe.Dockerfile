# Mesa's software Vulkan driver as a Debian release ships it, and the Vulkan loader. Holds no Isobit: that comes on top.

ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG VERSION=*
ARG APT_SOURCES=
ARG APT_CA=

COPY install.sh /usr/local/sbin/isobit-install
# The drivers of GPUs leave again: a container that is handed none could only mistake them for its own.
RUN sh /usr/local/sbin/isobit-install install "mesa-vulkan-drivers=${VERSION}" libvulkan1 tini \
    && find /usr/lib -name 'libvulkan_*.so' ! -name libvulkan_lvp.so -delete \
    && find /usr/share/vulkan/icd.d -name '*.json' ! -name 'lvp_icd*' -delete \
    && mkdir -p /usr/share/isobit \
    && ln -s /usr/share/vulkan/icd.d/lvp_icd*.json /usr/share/isobit/icd.json \
    && dpkg-query --show --showformat='${Package}=${Version}\n' libc6 libvulkan1 mesa-vulkan-drivers 'libllvm*' \
        >/usr/share/isobit/packages \
    && install --directory --owner=10001 --group=10001 /var/cache/isobit

# The loader takes the older name only before 1.3.207.
ENV VK_DRIVER_FILES=/usr/share/isobit/icd.json VK_ICD_FILENAMES=/usr/share/isobit/icd.json \
    MESA_SHADER_CACHE_DIR=/var/cache/isobit XDG_RUNTIME_DIR=/tmp HOME=/tmp
USER 10001:10001
# As the first process of a container a worker could not end itself by `abort`; below this one it can.
ENTRYPOINT ["/usr/bin/tini", "--"]
