#!/usr/bin/env bash
# Runs the image of deploy/image.sh as compose does (a read-only root, an unprivileged user, no capabilities, roles apart) against a PostgreSQL of Debian,
# and has the conformance suite ask both contracts. As root, with podman, crun and postgresql installed:
#
#   deploy/image-test.sh [name]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
name=localhost/${1:-vaultline:$(node -p 'require("./package.json").version')}
storage=${STORAGE:-/var/tmp/vaultline-images}
work=$(mktemp -d)
chmod 711 "$work"
port=$((20000 + RANDOM % 20000))
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
say() { echo "image-test: $*" >&2; }
p() { podman --root "$storage/root" --runroot "$storage/run" --storage-driver "${STORAGE_DRIVER:-overlay}" --cgroup-manager cgroupfs "$@"; }
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
containers=()
finish() {
  for container in "${containers[@]}"; do p rm --force --time 30 "$container" >/dev/null 2>&1 || true; done
  as_postgres "$bin/pg_ctl" -D "$work/data" -m fast stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

install -d -o postgres "$work/data" "$work/socket"
as_postgres "$bin/initdb" -D "$work/data" -U vaultline --auth-local=trust --auth-host=scram-sha-256 >/dev/null
as_postgres "$bin/pg_ctl" -D "$work/data" -w -l "$work/data/log" -o "-p $port -k $work/socket -c listen_addresses=127.0.0.1 -c max_connections=120" start >/dev/null
export PARTNER_MIGRATION_PASSWORD=pm PARTNER_DATABASE_PASSWORD=pd SANDBOX_MIGRATION_PASSWORD=sm SANDBOX_DATABASE_PASSWORD=sd
"$bin/createdb" -h "$work/socket" -p "$port" -U vaultline vaultline
"$bin/psql" -qX -h "$work/socket" -p "$port" -U vaultline -d vaultline -f docker/database/roles.sql
say "PostgreSQL $("$bin/postgres" --version | grep -o '[0-9.]*' | head -1) on port $port"

# run NAME OPTIONS... -- COMMAND...: a container as compose confines it
confined=(--network host --read-only --tmpfs /tmp:size=64m --cap-drop all --security-opt no-new-privileges --init
  --ulimit host --env LOG_LEVEL=warn --env TRUSTED_PROXIES=none --env HOST=127.0.0.1 --env WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8)
if [ ! -w /sys/fs/cgroup/cgroup.procs ]; then confined+=(--cgroups=disabled); fi

failed=0
web=3080
for contract in partner sandbox; do
  short=${contract/partner/live}
  upper=${contract^^}
  migration="${upper}_MIGRATION_PASSWORD" database="${upper}_DATABASE_PASSWORD"
  settings=(--env CONTRACT=$contract --env "SECRETS_KEY=$(openssl rand -base64 32)"
    --env "DATABASE_URL=postgres://${short}_server:${!database}@127.0.0.1:$port/vaultline_$short")
  p run --rm "${confined[@]}" "${settings[@]}" \
    --env "DATABASE_MIGRATION_URL=postgres://${short}_owner:${!migration}@127.0.0.1:$port/vaultline_$short" "$name" vaultline migrate
  web=$((web + 2))
  for role in api worker; do
    [ $role = worker ] && listen=$((web + 1)) || listen=$web
    containers+=("$(p run --detach "${confined[@]}" "${settings[@]}" --env ROLE=$role --env PORT=$listen "$name")")
  done
  api=${containers[-2]}
  for _ in $(seq 120); do curl -fsS "http://127.0.0.1:$web/health/ready" >/dev/null 2>&1 && break || sleep 0.5; done
  key=$(p exec "$api" vaultline keys create --label conformance --scopes keys:admin,partner:admin | grep -o 'vl_[a-z]*_[A-Za-z0-9]*' | tail -1)
  say "$contract: $(p exec "$api" sh -c 'id -u; grep -E "CapEff|NoNewPrivs" /proc/1/status; touch /app/x 2>&1 || true' | tr -s '\n\t' ' ')"
  ADMIN_KEY=$key npm run --silent conformance -- --url "http://127.0.0.1:$web" --contract $contract | tail -5 || failed=1
done
exit $failed
