#!/bin/sh
# Starts the gRPC process, with the permissions that are written here. `--allow-run` names this file and not
# the runtime, since who may start the runtime may give itself every permission.
# Its argument: what it may reach, `host:port` separated by commas; empty: every host.
root=${0%/*}/../../..
# The environment is the caller's; of it only the place of the runtime's cache is handed on.
# The libraries ask for settings of their own; there are none in this environment.
exec /usr/bin/env -i PATH=/usr/bin:/bin DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 \
  ${HOME:+"HOME=$HOME"} ${DENO_DIR:+"DENO_DIR=$DENO_DIR"} \
  ${XDG_CACHE_HOME:+"XDG_CACHE_HOME=$XDG_CACHE_HOME"} \
  "$root/node_modules/deno/deno" run --no-prompt --allow-net${1:+"=$1"} --allow-env \
  "$root/services/trace-gateway/grpc/child.ts"
