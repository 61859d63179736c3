#!/usr/bin/env bash
# Restores the database into an empty folder, with its roles and settings: restore.sh [MOMENT], such as '2026-11-24 12:00:00+00'; else all that was
# archived. Stop every process of Vaultline first; start them afterwards. docs/operations.md, "Backups", says what is lost.
# Reads: PGBACKREST_CONFIG (its pg1-path is the folder), PG_BIN, DATABASE_URL and SECRETS_KEY of the contract, CONTRACT, VAULTLINE (the command),
# SUSPEND_KEYS (if set, all keys are refused until `vaultline keys resume`).
# Another contract in the same database needs the last two commands as well.
set -euo pipefail
cd /
as_postgres=(env)
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups --inh-caps=-all)
data=$(sed -n 's/^pg1-path=//p' "${PGBACKREST_CONFIG:?}")
"${as_postgres[@]}" pgbackrest --stanza=vaultline ${1:+--type=time "--target=$1" --target-action=promote} restore
"${as_postgres[@]}" "${PG_BIN:?}/pg_ctl" -D "$data" -l "$data/restore.log" -t 3600 -w start >/dev/null
until [ "$("$PG_BIN/psql" -XAtc 'SELECT pg_is_in_recovery()' "${DATABASE_URL:?}")" = f ]; do sleep 0.2; done
${VAULTLINE:-vaultline} deployment restored ${SUSPEND_KEYS:+--suspend-keys}
${VAULTLINE:-vaultline} ledger verify
