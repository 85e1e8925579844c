#!/bin/sh
# Make .venv ready: `scripts/venv.sh run` to use tessella, `scripts/venv.sh dev` to work on it.
#
# A .venv that works is kept, one that does not (another folder's, an older or removed Python's) is
# made anew. Packages are installed only if pyproject.toml has changed or something is missing.
set -eu
cd "$(dirname "$0")/.."
want=$1
venv=.venv
stamp=$venv/tessella-installed

fail() {
    echo "$1" >&2
    exit 2
}

# What must be as it was at the last installation for nothing to be done.
state() {
    echo "$(cksum < pyproject.toml) $(cksum < scripts/venv.sh) $(pwd -P)"
}

works() {
    [ -x $venv/bin/python ] && $venv/bin/python -c '
import sys
assert sys.version_info >= (3, 11) and sys.prefix != sys.base_prefix
import pip' > /dev/null 2>&1
}

installed() {
    [ -f $stamp ] || return 1
    kind=$(head -n 1 $stamp)
    { [ "$kind" = dev ] || [ "$kind" = "$want" ]; } || return 1
    [ "$(tail -n 1 $stamp)" = "$(state)" ] || return 1
    $venv/bin/python - "$want" > /dev/null 2>&1 << 'END'
import re
import sys
from importlib.metadata import distribution, requires

for line in requires("tessella"):
    if "extra ==" not in line or (sys.argv[1] == "dev" and re.search("extra == .dev", line)):
        distribution(re.match(r"[\w.-]+", line).group())
END
}

find_python() {
    for name in python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; assert sys.version_info >= (3, 11)' > /dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! works; then
    python=$(find_python) || fail "tessella needs Python 3.11 or newer, and no such python3 was found; install one."
    "$python" -c 'import ensurepip, venv' > /dev/null 2>&1 ||
        fail "Python's venv module is missing; install it (on Debian: apt install python3-venv) and try again."
    echo "Making $venv with $("$python" --version) ..."
    rm -rf $venv
    "$python" -m venv $venv || fail "$venv could not be made with $python; see the message above."
fi

if ! installed; then
    echo "Installing tessella into $venv (a few minutes the first time) ..."
    rm -f $stamp
    if [ "$want" = dev ]; then target='.[dev]'; else target=.; fi
    $venv/bin/python -m pip install --quiet --disable-pip-version-check --editable "$target" ||
        fail "The packages could not be installed; see the message above and try again."
    printf '%s\n%s\n' "$want" "$(state)" > $stamp
fi
