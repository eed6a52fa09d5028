#!/usr/bin/env bash
# build.sh CACHE: builds images with the names of the public ones (README.md) in the engine of DOCKER_HOST. CACHE is a
# folder that keeps the packages of the system between runs.
set -euo pipefail

FOLDER=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
PACKAGES=ca-certificates,curl,etcd-server,gosu,haproxy,libicu72,patroni,postgresql-15,python3-etcd,rabbitmq-server
PACKAGES+=,redis-server
BASE=$1/debian-$(printf '%s' "$PACKAGES" | cksum | cut -d' ' -f1).tar

# The certificates of this machine too: the images that compile ours restore their packages with them.
download() {
  rm -f "${BASE%.tar}.part.tar"
  mmdebstrap --variant=minbase --include="$PACKAGES" --aptopt='Apt::Install-Recommends "false"' \
    --customize-hook='copy-in /usr/local/share/ca-certificates /usr/local/share' \
    --customize-hook='chroot "$1" update-ca-certificates' \
    bookworm "${BASE%.tar}.part.tar" /etc/apt/sources.list.d/debian.sources
}

if [[ ! -f $BASE ]]; then
  mkdir -p "$1"
  # Again when it breaks off.
  download || download
  mv "${BASE%.tar}.part.tar" "$BASE"
fi
docker import "$BASE" apexshop/stand-in

# The classic builder: every engine has it.
build() { DOCKER_BUILDKIT=0 docker build -q -t "$1" -f "$FOLDER/$2.Dockerfile" "${@:3}"; }

build postgres:16 postgres "$FOLDER"
build rabbitmq:3.13 rabbitmq "$FOLDER"
build redis:7 redis "$FOLDER"
build haproxy:3.0 haproxy "$FOLDER"
docker tag apexshop/stand-in debian:bookworm-slim
DOTNET=$(dirname "$(readlink -f "$(command -v dotnet)")")
build mcr.microsoft.com/dotnet/runtime-deps:10.0 runtime-deps "$FOLDER"
build mcr.microsoft.com/dotnet/aspnet:10.0 aspnet "$DOTNET"
build mcr.microsoft.com/dotnet/sdk:10.0 sdk --build-arg "NUGET_CERT_REVOCATION_MODE=${NUGET_CERT_REVOCATION_MODE:-}" \
  "$DOTNET"
