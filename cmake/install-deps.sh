#!/bin/sh
# Installs what the build needs where it is missing: with apt on Debian and
# Ubuntu (through sudo when not root); elsewhere it names the packages and
# stops. Called by the Makefile with the list of what the target needs:
#   install-deps.sh build | test | clients | fuzz | coverage | format
set -eu

need=""
want() { # want PACKAGE COMMAND-THAT-SUCCEEDS-IF-PRESENT...
    package=$1
    shift
    "$@" >/dev/null 2>&1 || need="$need $package"
}

want gcc sh -c 'command -v cc'
want libc6-dev sh -c 'echo "#include <stdio.h>" | cc -E -'
want make sh -c 'command -v make'
want cmake sh -c 'command -v cmake'
want pkg-config sh -c 'command -v pkg-config'
want libjansson-dev pkg-config --exists jansson
want libxxhash-dev pkg-config --exists libxxhash
want libssl-dev pkg-config --exists libcrypto
case "${1:-build}" in
test)
    want check pkg-config --exists check
    want python3 sh -c 'command -v python3'
    ;;
clients) # of the Redis protocol, for ctest's label "clients"
    want libcatalyst-perl perl -MCatalyst -e1
    want libcatalyst-plugin-session-perl perl -MCatalyst::Plugin::Session -e1
    want libcatalyst-plugin-session-state-cookie-perl \
        perl -MCatalyst::Plugin::Session::State::Cookie -e1
    want libcatalyst-plugin-session-store-redis-perl \
        perl -MCatalyst::Plugin::Session::Store::Redis -e1
    want libhiredis-dev pkg-config --exists hiredis
    want libplack-perl perl -MHTTP::Server::PSGI -e1
    want libredis-perl perl -MRedis -e1
    want libredis-fast-perl perl -MRedis::Fast -e1
    want nodejs sh -c 'command -v node'
    want npm sh -c 'command -v npm'
    want nutcracker sh -c 'command -v nutcracker'
    want php-cli sh -c 'command -v php'
    want php-redis sh -c 'php -m | grep -qx redis'
    want python3-redis /usr/bin/python3 -c 'import redis'
    want redis-server sh -c 'command -v redis-server'
    want redis-tools sh -c 'command -v redis-cli'
    want ruby sh -c 'command -v ruby'
    want ruby-redis ruby -rredis -e1
    want ruby-redis-store ruby -rredis-store -e1
    want ruby-redis-rack ruby -rrack/session/redis -e1
    ;;
fuzz)
    want check pkg-config --exists check
    want clang sh -c 'command -v clang'
    want libclang-rt-dev sh -c \
        'echo "int main(void){return 0;}" | clang -fsanitize=address -x c - -o /dev/null'
    ;;
coverage)
    want check pkg-config --exists check
    want gcovr sh -c 'command -v gcovr'
    ;;
format) want clang-format sh -c 'command -v clang-format' ;;
esac
[ -n "$need" ] || exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo
if ! command -v apt-get >/dev/null 2>&1 ||
    { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
    echo "memoizer needs these packages (Debian names), please install them:" >&2
    echo " $need" >&2
    exit 1
fi
echo "Installing:$need"
# In front of apt-get, as sudo drops the environment. A fresh machine may be
# busy with its own updates: wait for the lock.
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}
apt update || echo "apt-get update failed; trying with what is known" >&2
case "$need" in
*libclang-rt-dev*) # Ubuntu 22.04 has it inside of clang
    apt-cache show libclang-rt-dev >/dev/null 2>&1 ||
        need=$(echo "$need" | sed 's/ libclang-rt-dev//')
    ;;
esac
# shellcheck disable=SC2086 # a list of words
apt install -y --no-install-recommends $need
