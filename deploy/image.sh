#!/usr/bin/env bash
# Builds docker/Dockerfile where no registry of images is in reach, and runs the result as docker/compose.yaml does. The base of its FROM is made of
# Debian's packages and the Node of node_modules; buildah builds the rest, as Docker would. As root, on Debian with buildah, podman, crun and debootstrap:
#
#   deploy/image.sh build                          builds vaultline:<version>, prints its size, labels, layers and where the SBOM is; and vaultline-executor:<version>
#   deploy/image.sh run [options] image [command]  `podman run` without capabilities, with a read-only root, on the machine's network
#
# STORAGE names the folder of images and layers, which is kept: the next build reuses what did not change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(node -p 'require("./package.json").version')
name=vaultline:$version
storage=${STORAGE:-/var/tmp/vaultline-images}
base=$(sed -n 's/^FROM \(node:[^ @]*\).* AS base$/\1/p' docker/Dockerfile)
say() { echo "image: $*"; }
at=(--root "$storage/root" --runroot "$storage/run" --storage-driver "${STORAGE_DRIVER:-overlay}")
b() { buildah "${at[@]}" "$@"; }
[ "$(id -u)" = 0 ] || { say 'needs root'; exit 1; }
for tool in debootstrap buildah podman crun; do command -v "$tool" >/dev/null || { say "$tool is missing: apt-get install $tool"; exit 1; }; done
mkdir -p "$storage"

if [ "${1:-}" = run ]; then
  shift
  # Podman refuses where version 2 of cgroups is mounted beside version 1, and sets limits that only CAP_SYS_RESOURCE may raise.
  exec unshare --mount sh -c 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"' podman "${at[@]}" --cgroup-manager cgroupfs run --rm \
    --network host --read-only --cap-drop all --security-opt no-new-privileges --memory 1g --pids-limit 128 \
    --ulimit nofile="$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=1024:1024 --no-healthcheck "$@"
fi
[ "${1:-build}" = build ] || { sed -n 's/^# \?//; 2,/^set/{/^set/!p}' "${BASH_SOURCE[0]}"; exit 2; }
[ -x node_modules/node/bin/node ] || { say 'node_modules is missing: npm ci'; exit 1; }

if ! b inspect "$base" >/dev/null 2>&1; then
  suite=${DEBIAN_SUITE:-bookworm}
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

# What a network between here and the packages needs: its certificates, while building.
trust=()
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo 'cafile=/etc/build-ca.crt' >"$storage/npmrc"
  trust=(--volume "$(realpath "$NODE_EXTRA_CA_CERTS"):/etc/build-ca.crt:ro" --volume "$storage/npmrc:/usr/local/etc/npmrc:ro")
fi
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
# target TAG [options]
target() {
  b build --isolation chroot --format docker --pull-never --layers --network host "${trust[@]}" --from "$base" \
    --label org.opencontainers.image.version="$version" --label org.opencontainers.image.revision="$revision" \
    --file docker/Dockerfile --tag "$1" "${@:2}" . >"$storage/build.log" 2>&1 || { tail -40 "$storage/build.log" >&2; exit 1; }
}
target "$name"
target "vaultline-executor:$version" --target executor

node scripts/sbom.mjs >"$storage/sbom.json"
podman "${at[@]}" image history --no-trunc --format '{{.Size}}  {{.CreatedBy}}' "$name" | grep -v '^0 B' | cut -c -100
podman "${at[@]}" image inspect --format '{{range $label, $value := .Config.Labels}}{{$label}}={{$value}}{{"\n"}}{{end}}' "$name" | grep opencontainers
bytes() { podman "${at[@]}" image inspect --format '{{.Size}}' "$1"; }
own=$((($(bytes "$name") - $(bytes "$base")) / 1000000))
say "$name: $own MB beyond its base of $(($(bytes "$base") / 1000000)) MB; $(grep -c '"bom-ref"' "$storage/sbom.json") packages in $storage/sbom.json"
[ "$own" -le 200 ] || { say 'more than 200 MB beyond the base'; exit 1; }
