#!/usr/bin/env bash
# As the public image's entry point: a master that starts workers, in the foreground.
set -euo pipefail

if [[ $1 == haproxy ]]; then set -- haproxy -W -db "${@:2}"; fi
exec "$@"
