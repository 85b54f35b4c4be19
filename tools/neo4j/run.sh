#!/bin/sh
# Starts and stops a throw-away Neo4j on 127.0.0.1 for the store tests.
#
#   tools/neo4j/run.sh start [auth] [read-only] [tls]   returns once Bolt answers
#   tools/neo4j/run.sh import DIR   runs the import.txt of a CSV export, before a start
#   tools/neo4j/run.sh stop         ends it; its data stay
#   tools/neo4j/run.sh kill         as stop, without mercy (for tests of faults)
#   tools/neo4j/run.sh clean        stops it and deletes its data
#
# `auth` asks for a login (neo4j, neo4j), and whoever is called `reader` may only read; `read-only`
# refuses to write to all; `tls` also speaks TLS by HOME/certificates/bolt/private.key and public.crt.
#
# REALHOP_NEO4J_PORT (7687) and REALHOP_NEO4J_HOME (target/home-PORT) choose where it runs.
# Needs Java 17 and Maven; the server itself comes as Maven artifacts.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
port=${REALHOP_NEO4J_PORT:-7687}
home=${REALHOP_NEO4J_HOME:-$here/target/home-$port}
pidfile=$home/server.pid
log=$home/server.log
opens="--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
    --add-opens=java.base/java.util.concurrent=ALL-UNNAMED"
heap=${REALHOP_NEO4J_HEAP:-1g}

build() {
    # Once built, a start needs neither Maven nor a network.
    classpath=$here/target/classpath
    if [ ! -s "$classpath" ] || [ "$here/pom.xml" -nt "$classpath" ] ||
        [ -n "$(find "$here/src" -name '*.java' -newer "$classpath")" ]; then
        (cd "$here" && mvn -q -B compile dependency:build-classpath \
            -Dmdep.outputFile=target/classpath) >&2
    fi
}

running() {
    [ -s "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2>/dev/null
}

answers() {
    # The Bolt handshake: a magic number and four proposed versions; any reply will do.
    python3 - "$port" <<'PY'
import socket
import sys

try:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=2) as link:
        link.sendall(bytes.fromhex("6060b017" + "00000405" + "00000004" + "00" * 8))
        sys.exit(0 if link.recv(4).strip(b"\0") else 1)
except OSError:
    sys.exit(1)
PY
}

import() {
    build
    mkdir -p "$home/conf"
    export NEO4J_HOME="$home" NEO4J_CONF="$home/conf"
    cd "$1"
    # The file holds one command over several lines; `neo4j-admin` is the main class below.
    # shellcheck disable=SC2046,SC2086
    java $opens "-Xmx$heap" -cp "$(cat "$here/target/classpath")" org.neo4j.cli.AdminTool \
        $(sed -e '1s/^neo4j-admin //' -e 's/\\$//' import.txt) >&2
}

start() {
    if running; then
        echo "Neo4j already runs on bolt://127.0.0.1:$port" >&2
        return
    fi
    if answers; then
        echo "port $port is taken; name another in REALHOP_NEO4J_PORT" >&2
        exit 1
    fi
    build
    mkdir -p "$home"
    # setsid: the server outlives the shell that starts it, and no Ctrl-C reaches it.
    # shellcheck disable=SC2086
    setsid java $opens "-Xmx$heap" -cp "$here/target/classes:$(cat "$here/target/classpath")" \
        realhop.Neo4jServer "$home" "$port" "$@" >"$log" 2>&1 </dev/null &
    echo $! >"$pidfile"
    for _ in $(seq 1 240); do
        if answers; then
            echo "Neo4j runs on bolt://127.0.0.1:$port" >&2
            return
        fi
        if ! running; then
            break
        fi
        sleep 0.5
    done
    echo "Neo4j did not start; the end of $log:" >&2
    tail -n 20 "$log" >&2
    exit 1
}

stop() {
    signal=$1
    if running; then
        pid=$(cat "$pidfile")
        kill "-$signal" "$pid"
        for _ in $(seq 1 120); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.25
        done
    fi
    rm -f "$pidfile"
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
    start) start "$@" ;;
    import) import "$@" ;;
    stop) stop TERM ;;
    kill) stop KILL ;;
    clean) stop TERM; rm -rf "$home" ;;
    *) echo "usage: $0 start [auth] [read-only] [tls] | import DIR | stop | kill | clean" >&2; exit 2 ;;
esac
