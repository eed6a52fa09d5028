#!/bin/sh
# Gives etcd a password (ETCD_PASSWORD): without one everyone who reaches it could name a primary. Safe to run again.
# Patroni uses version 2 of etcd's interface. Version 3, on the same port, has users of its own: without a password it
# would remove members.
#   protect.sh http://HOST:PORT...
# One member is enough to ask, as long as it reaches a second one.
set -eu

# call METHOD PATH [JSON]: prints the status. Credentials and secret bodies are on stdin, where `ps` does not show them.
# A proxy would get them too, so none is used.
call() {
  curl -s -m 2 --noproxy '*' -o /dev/null -w '%{http_code}' -X "$1" -H 'Content-Type: application/json' ${3:+-d "$3"} \
    -K - "$url/$2"
}

as_root() { printf 'user = "root:%s"\n' "$ETCD_PASSWORD" | call "$@"; }

# with_password METHOD PATH NAME: the body names the user root by a member NAME.
with_password() {
  printf 'data = "{\\"%s\\":\\"root\\",\\"password\\":\\"%s\\"}"\n' "$3" "$ETCD_PASSWORD" | call "$1" "$2"
}

protect() {
  with_password PUT v2/auth/users/root user
  as_root PUT v2/auth/enable
  as_root PUT v2/auth/roles/guest '{"role":"guest","revoke":{"kv":{"read":["/*"],"write":["/*"]}}}'
  with_password POST v3/auth/user/add name
  call POST v3/auth/role/add '{"name":"root"}'
  call POST v3/auth/user/grant '{"user":"root","role":"root"}'
  call POST v3/auth/enable '{}'
} >/dev/null

is_protected() {
  [ "$(call GET v2/keys/)$(as_root GET v2/keys/)" = 401200 ] &&
    [ "$(call POST v3/kv/range '{"key":"AA=="}')$(with_password POST v3/auth/authenticate name)" = 400200 ]
}

# A member is only well when it reaches a majority. The others are not asked, or one that hangs would take all the time.
is_well() { [ "$(call GET health)" = 200 ]; }

end=$(($(date +%s) + 60))
# An etcd without a leader, as after its start on a slow disk, answers late or not at all.
while [ "$(date +%s)" -lt "$end" ]; do
  for url; do
    if is_well && { protect || true; is_protected; }; then exit; fi
  done </dev/null
  sleep 1
done
echo "No etcd of $* could be protected by a password. Two of three members must run and reach each other." >&2
exit 1
