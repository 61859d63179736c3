#!/usr/bin/env bash
# Builds docker/Dockerfile where no registry of images is in reach, and shows what it is made of: the base of its FROM is made of Debian's packages and
# the Node of node_modules, then buildah builds the rest as Docker would. As root, with debootstrap and buildah installed:
#
#   deploy/image.sh [name]     name: vaultline:<version> by default; STORAGE names the folder of images, which stays
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(node -p 'require("./package.json").version')
name=${1:-vaultline:$version}
storage=${STORAGE:-/var/tmp/vaultline-images}
suite=${DEBIAN_SUITE:-bookworm}
base=$(sed -n 's/^FROM \(node:[^ ]*\) AS base$/\1/p' docker/Dockerfile)
say() { echo "image: $*" >&2; }
b() { buildah --root "$storage/root" --runroot "$storage/run" --storage-driver "${STORAGE_DRIVER:-overlay}" "$@"; }
for tool in debootstrap buildah; do command -v "$tool" >/dev/null || { say "$tool is missing: apt-get install $tool"; exit 1; }; done
[ -x node_modules/node/bin/node ] || { say 'node_modules is missing: npm ci'; exit 1; }
mkdir -p "$storage"

if ! b inspect "$base" >/dev/null 2>&1; then
  say "base $base, of Debian $suite and Node $(node_modules/node/bin/node --version)"
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m1 debian || true)
  # shellcheck disable=SC2086
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" $mirror >"$storage/debootstrap.log"
  install -m 755 node_modules/node/bin/node "$root/usr/local/bin/node"
  npm install --silent --global --prefix "$root/usr/local" npm@11
  chroot "$root" useradd --uid 1000 --create-home --shell /bin/bash node
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}/*
  container=$(b from scratch)
  b copy --quiet "$container" "$root" / >/dev/null
  b config --cmd node --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  b commit --quiet --rm "$container" "$base" >/dev/null
  rm -rf "$root"
fi

say "$name from docker/Dockerfile"
# What a network between here and the packages needs: its certificates, while building.
trust=()
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo 'cafile=/etc/build-ca.crt' >"$storage/npmrc"
  trust=(--volume "$(realpath "$NODE_EXTRA_CA_CERTS"):/etc/build-ca.crt:ro" --volume "$storage/npmrc:/usr/local/etc/npmrc:ro")
fi
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
b build --isolation chroot --pull-never --layers=false --network host "${trust[@]}" \
  --label org.opencontainers.image.title=vaultline --label org.opencontainers.image.version="$version" \
  --label org.opencontainers.image.revision="$revision" --label org.opencontainers.image.licenses=MIT \
  --file docker/Dockerfile --tag "$name" . >"$storage/build.log" 2>&1 ||
  { tail -40 "$storage/build.log" >&2; exit 1; }

node scripts/sbom.mjs >"$storage/sbom.json"
size() { b images --format '{{.Size}}' "$1" | awk 'NR == 1 { print int($1 * ($2 == "GB" ? 1000 : 1)) }'; }
own=$(($(size "$name") - $(size "$base")))
say "$name: $own MB beyond its base of $(size "$base") MB; $(grep -c '"bom-ref"' "$storage/sbom.json") packages in $storage/sbom.json"
[ "$own" -le 200 ] || { say "more than 200 MB beyond the base"; exit 1; }
