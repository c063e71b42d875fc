#!/bin/sh
# npm_install.sh FOLDER - installs what FOLDER/package-lock.json pins, and
# checks it against the lock's hashes; nothing to do when that was done before.
# Ends with 77 where there is no npm or no registry.
set -eu
cd "$1"
done=node_modules/.installed
cmp -s package-lock.json "$done" && exit 0
if ! command -v npm >/dev/null 2>&1; then
    echo "SKIPPED: there is no npm"
    exit 77
fi
if ! npm ping >/dev/null 2>&1; then
    echo "SKIPPED: npm does not reach its registry (npm ping)"
    exit 77
fi
npm ci --ignore-scripts --no-audit --no-fund
cp package-lock.json "$done"
