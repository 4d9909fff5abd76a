#!/bin/sh
# Installs or downloads Debian packages while an image is built, and leaves nothing of apt's behind.
#
# usage: install.sh install PACKAGE[=VERSION]…    from the sources of the base image
#        install.sh unpack FOLDER PACKAGE[=VERSION]    the package's files alone, without what it depends on
#
# APT_SOURCES  lines for sources.list that replace the base image's sources, such as those of a mirror or a snapshot
# APT_CA       certificates in PEM form, encoded in base64, by which apt knows a mirror or a proxy of your own
set -eu

export DEBIAN_FRONTEND=noninteractive
if [ -n "${APT_SOURCES:-}" ]; then
    rm -f /etc/apt/sources.list.d/*
    printf '%s\n' "$APT_SOURCES" >/etc/apt/sources.list
fi
if [ -n "${APT_CA:-}" ]; then
    printf %s "$APT_CA" | base64 -d >/etc/apt/isobit-ca.pem
    printf 'Acquire::https::CAInfo "/etc/apt/isobit-ca.pem";\n' >/etc/apt/apt.conf.d/90isobit-ca
fi
apt() {
    apt-get -qq -o Acquire::Languages=none -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

command=$1
shift
# An archive that cannot be reached is an error here, and not a list that lacks packages.
apt -o APT::Update::Error-Mode=any update
case "$command" in
install)
    apt install --yes --no-install-recommends "$@"
    ;;
unpack)
    folder=$1
    cd /tmp
    apt download "$2"
    dpkg-deb --extract ./*.deb "$folder"
    dpkg-deb --show --showformat='${Package}=${Version}\n' ./*.deb >"$folder/version"
    rm ./*.deb
    ;;
esac
apt clean
rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/* /var/log/apt /var/log/*.log /var/cache/ldconfig/* \
    /usr/share/doc/* /usr/share/man/* /usr/share/locale/* /usr/share/bug /usr/share/lintian
