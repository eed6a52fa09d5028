#!/bin/sh
# Gives etcd a password (ETCD_PASSWORD): without one everyone who reaches it could name a primary. Safe to run again.
#   protect.sh http://HOST:PORT
set -eu

# call METHOD PATH [JSON]: prints the status. Credentials and secret bodies are on stdin, where `ps` does not show them.
call() {
  curl -s -m 2 -o /dev/null -w '%{http_code}' -X "$1" -H 'Content-Type: application/json' ${3:+-d "$3"} -K - \
    "$url/v2/$2"
}

as_root() { printf 'user = "root:%s"\n' "$ETCD_PASSWORD" | call "$@"; }

protect() {
  printf 'user = "root:%s"\ndata = "{\\"user\\":\\"root\\",\\"password\\":\\"%s\\"}"\n' "$ETCD_PASSWORD" "$ETCD_PASSWORD" |
    call PUT auth/users/root >/dev/null || true
  as_root PUT auth/enable >/dev/null || true
  as_root PUT auth/roles/guest '{"role":"guest","revoke":{"kv":{"read":["/*"],"write":["/*"]}}}' >/dev/null || true
  [ "$(call GET keys/ </dev/null)$(as_root GET keys/)" = 401200 ]
}

url=$1
end=$(($(date +%s) + 60))
# An etcd without a leader, as after its start on a slow disk, answers late or not at all.
until protect; do
  if [ "$(date +%s)" -ge "$end" ]; then
    echo "etcd at $url could not be protected by a password." >&2
    exit 1
  fi
  sleep 1
done
