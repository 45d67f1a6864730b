#!/usr/bin/env bash
# Tries both README commands on machines that are not this one, each made anew from Debian's packages and entered by chroot.
#
#   tests/project/environments.sh                  every machine below, `make demo` and `make test`
#   tests/project/environments.sh bare nodesource  these alone
#   COMMANDS='make demo' tests/project/environments.sh bare
#
#   bare        Debian 12 with make alone: neither Python nor Node nor a browser
#   nodesource  Debian 12 with NodeSource's Node, whose package conflicts with Debian's npm, and no Chromium
#   furnished   Debian 12 with Python, Chromium, Node and Java there already
#   newer       Debian 13, whose Python is 3.13
#   newest      Debian testing, whose Python is 3.14 or later
#   noapt       Debian 12 without apt: each command must say in one sentence what is missing
#   noroot      Debian 12 as a user who is not root: the same
#   pythonX.Y   this machine with another Python, from PATH or pyenv
#   wheels      the wheel alone, in clean environments of Python 3.11 to 3.14, with warnings as errors
#   lowest      this machine with the lowest Python and the lowest versions that pyproject.toml allows: lint, types, and
#               the tests that need no browser and are not slow
#
# Needs root, debootstrap and a network that reaches Debian, PyPI and npm's registry. NodeSource's package is taken from
# NODESOURCE_DEB=FILE, or repacked from this machine (dpkg-repack) where it is installed. CI runs this on request
# (.github/workflows/environments.yml), and so does `make environments`. Results and logs: build/environments.
set -uo pipefail
unset PYTHONPATH PYTEST_ADDOPTS  # a new machine has nothing of this one's
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ROOT=$PWD
WORK=${WORK:-$ROOT/build/environments}
COMMANDS=${COMMANDS:-"make demo && make test"}
ALL=(bare nodesource furnished newer newest noapt noroot python3.11 python3.12 python3.13 python3.14 wheels lowest)
mkdir -p "$WORK"
exec 3>&1

say() { echo "$*" >&3; }

base() { # base SUITE: a Debian with nothing but make, made once
  local suite=$1 folder=$WORK/base-$1
  if [ ! -e "$folder/.ready" ]; then
    rm -rf "$folder"
    debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$folder" >"$WORK/base-$suite.log" 2>&1 || return 1
    # The way out of this machine is that machine's too.
    cp /etc/resolv.conf "$folder/etc/resolv.conf"
    cp -rL /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/ca-certificates.crt"
    for file in /etc/pip.conf /etc/hosts; do if [ -e "$file" ]; then cp "$file" "$folder$file"; fi; done
    touch "$folder/.ready"
  fi
}

machine() { # machine NAME SUITE: a copy of that Debian under a name, with a fresh clone of the project in /src
  local folder=$WORK/$1
  base "$2" || return 1
  leave "$folder"; rm -rf "$folder"
  cp -a "$WORK/base-$2" "$folder" && git clone -q "$ROOT" "$folder/src" || return 1
  mount -t proc proc "$folder/proc" && mount --rbind /dev "$folder/dev" && mount --make-rslave "$folder/dev" || return 1
}

leave() { # unmounts what `machine` mounted
  umount -lR "$1/dev" 2>/dev/null; umount -l "$1/proc" 2>/dev/null; return 0
}

inside() { # inside NAME COMMAND: as a login of root there would run it
  chroot "$WORK/$1" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${PIP_CERT:+PIP_CERT=/etc/ssl/certs/ca-certificates.crt} ${PIP_DEFAULT_TIMEOUT:+PIP_DEFAULT_TIMEOUT="$PIP_DEFAULT_TIMEOUT"} \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt sh -c "cd /src && $2"
}

install_there() { inside "$1" "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $2"; }

nodesource() {
  local package=${NODESOURCE_DEB:-}
  if [ -z "$package" ] && dpkg-query -W -f '${Version}' nodejs 2>/dev/null | grep -q nodesource && command -v dpkg-repack >/dev/null; then
    # npm updates itself past what dpkg knows of it, so its folder is taken as it is.
    (cd "$WORK" && rm -rf nodejs_*.deb repacked && dpkg-repack nodejs && package=$(ls nodejs_*.deb) \
      && dpkg-deb -R "$package" repacked && rm -rf repacked/usr/lib/node_modules/npm \
      && cp -a /usr/lib/node_modules/npm repacked/usr/lib/node_modules && dpkg-deb -Znone -b repacked "$package") >/dev/null \
      && package=$(ls "$WORK"/nodejs_*.deb)
  fi
  [ -n "$package" ] || { say "nodesource: name its package by NODESOURCE_DEB=FILE"; return 1; }
  cp "$package" "$WORK/nodesource/nodejs.deb" && install_there nodesource "python3-minimal /nodejs.deb"
}

refuses() { # refuses NAME COMMAND SENTENCE: the command fails, and what it prints last but make's own word is that sentence
  local said
  if said=$(inside "$1" "$2" 2>&1); then return 1; fi
  echo "$said"
  echo "$said" | grep -v '^make' | tail -n 1 | grep -qE "$3"
}

try() {
  local name=$1
  case $name in
    bare) machine bare bookworm && inside bare "$COMMANDS" ;;
    nodesource) machine nodesource bookworm && nodesource && inside nodesource "$COMMANDS" ;;
    furnished)
      machine furnished bookworm && install_there furnished "python3-venv chromium nodejs npm default-jre-headless" \
        && inside furnished "$COMMANDS" ;;
    newer) machine newer trixie && inside newer "$COMMANDS" ;;
    newest) machine newest testing && inside newest "$COMMANDS" ;;
    noapt)
      local apt=$WORK/noapt/usr/bin/apt-get
      machine noapt bookworm && mv "$apt" "$apt-away" \
        && refuses noapt "make demo" '^Python .* is missing, and there is no apt-get here' \
        && mv "$apt-away" "$apt" && install_there noapt python3-venv && mv "$apt" "$apt-away" \
        && refuses noapt "make test" '^Chromium.* is missing, and there is no apt-get here' ;;
    noroot)
      local user="setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/tmp"
      machine noroot bookworm && chown -R 1000:1000 "$WORK/noroot/src" \
        && refuses noroot "$user make demo" "^Python .* is missing: run 'apt-get install .*' as root" \
        && install_there noroot python3-venv \
        && refuses noroot "$user make test" "^Chromium.* is missing: run 'apt-get install .*' as root" ;;
    python3.*) elsewhere "$name" "$(python_named "$name")" ;;
    wheels) wheels ;;
    lowest) lowest ;;
    *) say "there is no machine $name"; return 1 ;;
  esac
}

python_named() { # the path of pythonX.Y: pyenv's, or one on PATH that runs
  ls -d "$HOME"/.pyenv/versions/"${1#python}".*/bin/"$1" 2>/dev/null | tail -n 1 | grep . || { "$1" -V >/dev/null 2>&1 && command -v "$1"; }
}

elsewhere() { # elsewhere NAME PYTHON: a fresh clone on this machine with another Python
  [ -n "$2" ] || { say "$1 is not on this machine"; return 1; }
  rm -rf "${WORK:?}/$1" && git clone -q "$ROOT" "$WORK/$1" && (cd "$WORK/$1" && eval "${COMMANDS//make /make PYTHON=$2 }")
}

wheels() { # the wheel, built from the source archive, as people install it
  local folder=$WORK/wheels version python
  rm -rf "$folder" && git clone -q "$ROOT" "$folder/src" && python3 -m venv "$folder/build" \
    && "$folder/build/bin/pip" install -q build && (cd "$folder/src" && "$folder/build/bin/python" -m build -o "$folder/dist") || return 1
  for version in python3.11 python3.12 python3.13 python3.14; do
    python=$(python_named "$version")
    [ -n "$python" ] || { say "$version is not on this machine"; return 1; }
    (cd "$folder" && "$python" -m venv "$version" && "$version/bin/pip" install -q "$(echo dist/*.whl)[book]" \
      && "$version/bin/python" -W error -m rulewright check && "$version/bin/rulewright" play pig/classic --players random,random --seed 7 \
      && "$version/bin/rulewright" book build --output "site-$version") || return 1
  done
}

lowest() { # all but the tests that need a browser or another program, with the oldest of everything we ask for directly
  local python
  python=$(python_named python3.11)
  [ -n "$python" ] || { say "python3.11 is not on this machine"; return 1; }
  rm -rf "$WORK/lowest" && git clone -q "$ROOT" "$WORK/lowest" && cd "$WORK/lowest" \
    && "$python" -m venv .venv && .venv/bin/python -m pip install -q uv \
    && .venv/bin/uv pip install -q --python .venv/bin/python --resolution lowest-direct --editable '.[book,test]' \
    && npm ci --prefix tests/site --ignore-scripts --no-audit --no-fund --silent \
    && .venv/bin/ruff check -q && .venv/bin/ruff format -q --check && .venv/bin/mypy \
    && .venv/bin/pytest -q -n 2 -m "not browser and not slow"
}

asked=("$@")
[ ${#asked[@]} -gt 0 ] || asked=("${ALL[@]}")
failed=0
for name in "${asked[@]}"; do
  # The log is the whole of what that machine said.
  (try "$name") >"$WORK/$name.log" 2>&1 </dev/null
  code=$?
  leave "$WORK/$name"
  if [ $code = 0 ]; then say "ok    $name"; else say "FAILS $name: see ${WORK#"$ROOT"/}/$name.log"; failed=1; fi
done
exit $failed
