#!/bin/sh
# Makes etcd forget its member NAME, and expect one without data in its place (ETCD_PASSWORD).
#   replace.sh NAME http://HOST:PORT      HOST is another member.
set -eu
name=$1
url=$2

# call PATH: the credentials or the body are on stdin, where `ps` does not show them. For some seconds after a member
# was stopped the others refuse changes with a 503.
call() {
  curl -fsS -m 60 --retry 20 --retry-delay 1 --noproxy '*' -X POST -H 'Content-Type: application/json' -K - \
    "$url/v3/$1"
}

token=$(printf 'data = "{\\"name\\":\\"root\\",\\"password\\":\\"%s\\"}"\n' "$ETCD_PASSWORD" | call auth/authenticate |
  sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
# with_token PATH JSON
with_token() {
  printf 'header = "Authorization: %s"\ndata = "%s"\n' "$token" "$(echo "$2" | sed 's/"/\\"/g')" | call "$1"
}

# By its address: one that was added and has not started yet has no name.
old=$(with_token cluster/member/list '{}' | sed 's/{"ID"/\n&/g' |
  sed -n "s|^{\"ID\":\"\([0-9]*\)\".*\"http://$name:2380\".*|\1|p")
[ -z "$old" ] || with_token cluster/member/remove "{\"ID\":\"$old\"}" >/dev/null
with_token cluster/member/add "{\"peerURLs\":[\"http://$name:2380\"]}" >/dev/null
