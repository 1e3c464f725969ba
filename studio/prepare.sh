#!/bin/sh
# Builds the studio's page, and with --browser also gets what its tests in a browser need, as far as this machine can.
# Says in one line what is missing, never waits for ever, and fails only where the page was asked for and cannot be built.
cd "$(dirname "$0")" || exit 1
browser=no
[ "${1:-}" = --browser ] && browser=yes
page=../src/epistrat/studio/assets/index.html

within() {  # seconds command...: the command, ended after so many seconds where that can be done
    seconds=$1
    shift
    if command -v timeout >/dev/null; then timeout -k 10 "$seconds" "$@"; else "$@"; fi
}

without() {  # why: go on without the page
    if [ "$browser" = yes ]; then
        echo "studio: $1; the tests in a browser will be skipped"
        exit 0
    fi
    if [ -f "$page" ]; then
        echo "studio: $1; the page is shown as it was built before"
        exit 0
    fi
    echo "studio: $1. The page has to be built once, with Node.js 20 or newer (Debian: apt install nodejs npm). A wheel contains it: pip install 'epistrat[studio]', then epistrat studio."
    exit 1
}

command -v node >/dev/null && command -v npm >/dev/null || without "Node.js and npm are not installed"
log=$(mktemp)
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    echo "Fetching what the page is built from (npm ci) ..."
    within 240 npm ci --no-audit --no-fund --loglevel=error >"$log" 2>&1 || without "npm ci failed ($(tail -n 1 "$log"))"
fi
if [ ! -f "$page" ] || [ -n "$(find src index.html vite.config.ts package-lock.json ../examples -newer "$page" | head -n 1)" ]; then
    echo "Building the page ..."
    within 120 node node_modules/vite/bin/vite.js build --logLevel error >"$log" 2>&1 || without "the page cannot be built ($(tail -n 1 "$log"))"
fi
[ "$browser" = yes ] || exit 0
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || without "chromium is not installed"
    export DEBIAN_FRONTEND=noninteractive
    within 60 apt-get -q update >"$log" 2>&1
    within 240 apt-get -q install -y --no-install-recommends chromium >"$log" 2>&1 || without "chromium cannot be installed ($(tail -n 1 "$log"))"
fi
exit 0
