#!/bin/sh
# Installs the programs that `make` needs. Missing ones are installed from Debian one at a time, so that existing programs
# (a Node of another packager, a Chromium with another name) stay, and cause no conflicts of packages.
#
#   programs.sh python PYTHON    Python 3.11 or newer that can create virtual environments
#   programs.sh pages            requirements of the tests: Chromium, Node, npm, git, gettext, Java, Pango, fonts, libatomic
#
# If it cannot install a program, it says what is missing and what to do, and exits with 1.
set -u

have() { command -v "$1" >/dev/null 2>&1; }

have_library() { PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q "$1\.so"; }

refuse() { echo "$*" >&2; exit 1; }

# ask_debian NAME PACKAGE...: check that packages can be installed, and update the list of packages once a day.
asked=
ask_debian() {
  name=$1; shift
  have apt-get || refuse "$name is missing, and there is no apt-get here to install it: install it in this system's own way."
  if [ "$(id -u)" = 0 ]; then root=
  elif have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then root=sudo
  else refuse "$name is missing: run 'apt-get install $*' as root."; fi
  if [ -z "$asked" ]; then
    asked=yes
    # A list that cannot be fetched may belong to another source of packages.
    $root apt-get update -qq >/dev/null 2>&1 || :
  fi
}

# install NAME PACKAGE...: install packages from Debian; messages call the first one NAME.
install() {
  ask_debian "$@"
  name=$1; shift
  echo "Installing $name."
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 \
    || refuse "$name is missing, and 'apt-get install $*' fails here: see what it says, or install $name in another way."
}

# Prefer the headless Chromium, which is smaller.
install_chromium() {
  chromium=chromium
  ask_debian "$1" $chromium
  apt-cache show chromium-headless-shell >/dev/null 2>&1 && chromium=chromium-headless-shell
  install "$1" $chromium
}

python() {
  # `python3`, `python3.12` and /usr/bin/python3.12 have Debian packages of those names; others are custom installations.
  package=$(basename "$1" | grep -xE 'python3(\.[0-9]+)?') || package=
  if ! have "$1"; then
    [ -n "$package" ] || refuse "There is no Python at $1: say where one is with 'make ... PYTHON=python3'."
    install "Python ($1)" "$package" "$package-venv"
  fi
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || refuse "Rulewright needs Python 3.11 or newer, and $1 is $("$1" -V 2>&1): say which with 'make ... PYTHON=python3.12'."
  if ! "$1" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    install "The venv of Python $version" "python$version-venv"
  fi
}

pages() {
  have chromium-headless-shell || have chromium || have chromium-browser || have google-chrome \
    || have google-chrome-stable || install_chromium "Chromium, which the tests of pages look through,"
  have node || install "Node, on which the audits of pages run," nodejs
  have npm || install "npm, which fetches the audits of pages," npm
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(+a > 18 || (+a === 18 && +b >= 20) ? 0 : 1)' \
    || refuse "The audits of pages need Node 18.20 or newer, and this one is $(node --version): install a newer one."
  have git || install "git, which the studio reads versions with," git
  have msgfmt || install "gettext, which checks the exported PO files," gettext
  have java || install "Java, on which the checker of HTML runs," default-jre-headless
  have_library libatomic || install "libatomic, with which Playwright drives Chromium," libatomic1
  for library in libpango-1.0:libpango-1.0-0 libpangoft2-1.0:libpangoft2-1.0-0 libharfbuzz-subset:libharfbuzz-subset0; do
    have_library "${library%%:*}" || install "${library%%:*}, with which the book is printed," "${library##*:}"
  done
  [ -n "$(find /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" -name '*.ttf' -o -name '*.otf' 2>/dev/null | head -n 1)" ] \
    || install "A font for the tests of printed pages" fonts-dejavu-core
}

case "${1:-}" in
  python) python "${2:?which Python}" ;;
  pages) pages ;;
  *) refuse "usage: programs.sh python PYTHON | programs.sh pages" ;;
esac
