#!/bin/sh
# Makes a base image of a Debian release with mmdebstrap, for machines that reach no container registry.
#
# usage: docker/base.sh RELEASE IMAGE [ENGINE]
#        docker/base.sh trixie isobit/base:trixie podman
#
# MIRROR  where packages come from, as mmdebstrap takes it; Debian's own archive and its security updates otherwise
#
# Needs no root beyond what ENGINE (docker, if none is named) asks for. Signatures are verified against the keys of the
# package `debian-archive-keyring`. Nothing is imported unless the whole system was made.
set -eu

if [ $# -lt 2 ]; then
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 64
fi
release=$1 image=$2 engine=${3:-docker}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
mmdebstrap --quiet --variant=minbase --components=main \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$release" "$folder/base.tar" ${MIRROR:+"$MIRROR"}
"$engine" import --change "LABEL isobit.release=$release" "$folder/base.tar" "$image"
