#!/usr/bin/env bash
# Finds missing parts of the system and installs them with apt, or with Homebrew where
# apt is not. Only this script asks for root, and only if apt has to install a part.
#   setup/packages.sh [site | test]     "site" adds what builds the page, "test" also
#                                       what only the tests need
set -euo pipefail
# shellcheck source=setup/lib.sh
source "$(dirname "$0")/lib.sh"

# The script looks for the part itself, not for a package, so a Go or a Python from
# another source counts.
required=(certificates git compiler go python)
# Without these, shaders run in the simulator. A driver is still worth asking for a
# password.
serving=(loader driver)
wanted=(mold nvidia)
purpose=${1:-}
if [[ $purpose == test ]]; then
	required+=("${serving[@]}" browser firefox)
	serving=()
	wanted+=(shellcheck neovim qemu) # but not Wine, which takes 700 MB: its tests say that they are skipped
fi

# macOS has Metal in place of Vulkan, and a linker that is fast enough. (Not run here.)
if [[ $OSTYPE == darwin* ]]; then
	serving=() wanted=()
	if [[ $purpose == test ]]; then
		required=(certificates git compiler go python) wanted=(shellcheck)
	fi
fi

if [[ $purpose == test || $purpose == site ]]; then required+=(deflate); fi

declare -A name=(
	[certificates]="the certificates of well-known authorities"
	[git]="git"
	[compiler]="a C compiler with its headers"
	[loader]="the Vulkan loader, libvulkan.so.1"
	[driver]="a Vulkan driver (Mesa has one that needs no GPU)"
	[mesa]="Mesa 24 or newer (older ones compute five times slower)"
	[go]="Go 1.21 or newer (it fetches the version that go.mod names)"
	[python]="Python 3.11 or newer with venv"
	[mold]="mold, the linker that halves the wait for a cell"
	[nvidia]="the libraries that NVIDIA's Vulkan driver asks for, libEGL.so.1 and libXext.so.6"
	[browser]="Chromium, for the tests in a real browser"
	[firefox]="Firefox, for the tests of the course's page in it"
	[shellcheck]="shellcheck, which reads the set-up scripts"
	[neovim]="Neovim, for the test of the language server in it"
	[deflate]="libdeflate-gzip, which compresses the page's program"
	[qemu]="qemu-aarch64, for the tests of the program for Linux on Arm"
)

declare -A packages=(
	[certificates]="ca-certificates"
	[git]="git"
	[compiler]="gcc libc6-dev"
	[loader]="libvulkan1"
	[driver]="mesa-vulkan-drivers"
	[mesa]="mesa-vulkan-drivers"
	[go]="golang-go"
	[python]="python3 python3-venv"
	[mold]="mold"
	[nvidia]="libegl1 libxext6"
	[browser]="chromium chromium-sandbox fonts-dejavu-core"
	[firefox]="firefox-esr"
	[shellcheck]="shellcheck"
	[neovim]="neovim"
	[deflate]="libdeflate-tools"
	[qemu]="qemu-user"
)

# Homebrew's packages, for the parts that it has. (Not run here.)
declare -A brews=([git]="git" [go]="go" [python]="python@3.13" [mold]="mold" [shellcheck]="shellcheck" [deflate]="libdeflate")

has_certificates() { [[ -n ${SSL_CERT_FILE:-} || -e /etc/ssl/certs/ca-certificates.crt || -e /etc/pki/tls/certs/ca-bundle.crt || -e /etc/ssl/cert.pem ]]; }
has_git() { command -v git >/dev/null; }
has_compiler() {
	if [[ $OSTYPE == darwin* ]]; then xcrun --find clang; else command -v gcc && compgen -G '/usr/include/stdlib.h'; fi
} &>/dev/null
has_library() {
	compgen -G "/usr/lib/*-linux-gnu/$1" || compgen -G "/usr/lib64/$1" ||
		compgen -G "/usr/lib/$1" || compgen -G "/usr/local/lib/$1"
} >/dev/null
has_loader() { has_library libvulkan.so.1; }
# NVIDIA's driver does not include them. Without a display, no other package installs them.
has_nvidia() { [[ ! -e /dev/nvidiactl ]] || { has_library libEGL.so.1 && has_library libXext.so.6; }; }
has_driver() {
	[[ -n ${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-} ]] ||
		compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null || compgen -G '/etc/vulkan/icd.d/*.json' >/dev/null
}
has_mesa() {
	local version
	version=$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers 2>/dev/null) || return 0
	at_least "${version#*:}" 24
}
has_go() { find_go >/dev/null; }
has_python() { "$venv/bin/python" -V || find_python; } &>/dev/null
has_mold() { command -v mold >/dev/null; }
has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome || command -v google-chrome-stable; } >/dev/null
has_firefox() { command -v firefox-esr || command -v firefox; } >/dev/null
has_shellcheck() { command -v shellcheck >/dev/null; }
has_neovim() { command -v nvim >/dev/null; }
has_deflate() { command -v libdeflate-gzip >/dev/null; }
has_qemu() { command -v qemu-aarch64 >/dev/null; }

# missing_of PART... prints the missing parts.
missing_of() {
	local part
	for part in "$@"; do "has_$part" || printf '%s\n' "$part"; done
}

# packages_of PART... prints the packages that contain the parts.
packages_of() {
	local part
	for part in "$@"; do printf '%s ' "${packages[$part]}"; done
}

# told lists the names of parts.
told() {
	local part
	for part in "$@"; do printf '    %s\n' "${name[$part]}"; done
}

# release prints a word of /etc/os-release, such as VERSION_CODENAME.
release() { (. /etc/os-release && printf '%s\n' "${!1:-}"); } 2>/dev/null
# Ubuntu's browsers are snaps, which these packages install.
if [[ $(release ID) == ubuntu ]]; then packages[browser]="chromium-browser" packages[firefox]="firefox"; fi

# as_root runs a command as root.
as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"; }

# add_backports adds Debian 12's backports from the machine's mirror, unless they
# are already there. This upgrades nothing else: apt takes a package from backports
# only on request.
add_backports() {
	local sources uri signed added=/etc/apt/sources.list.d/wgslab-backports.list
	# shellcheck disable=SC2016 # these are apt's own variables
	sources=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI) $(SIGNED_BY)' 'Created-By: Packages')
	[[ $sources != *"bookworm-backports main "* ]] || return 0
	read -r uri signed < <(sed -n 's/^bookworm main //p' <<<"$sources") || true
	[[ -n $uri ]] || { say "apt's sources have no mirror of Debian bookworm. Add one." && return 1; }
	# Without a key, apt leaves the variable unexpanded.
	[[ $signed == /* ]] || signed=
	say "adding bookworm-backports from $uri (Debian 12's own Mesa and Go are too old)"
	printf 'deb %s%s bookworm-backports main\n' "${signed:+[signed-by=$signed] }" "$uri" | as_root tee "$added" >/dev/null
	# A line that apt cannot read would block every later use of apt.
	apt-get indextargets >/dev/null || { as_root rm -f "$added" && return 1; }
}

# install PART... installs the parts with apt.
install() {
	local new=() plain=() part
	for part in "$@"; do
		case $(release VERSION_CODENAME)/$part in
		bookworm/go | bookworm/driver | bookworm/mesa) new+=("$part") ;;
		*) plain+=("$part") ;;
		esac
	done
	if ((${#new[@]})); then add_backports || return; fi
	# A broken third-party source must not stop us: the installs below tell if it matters.
	apt update || true
	bring plain && bring new -t bookworm-backports
}

# brew_install PART... installs the parts that Homebrew has.
brew_install() {
	local part found=()
	for part in "$@"; do
		if [[ -n ${brews[$part]:-} ]]; then found+=("${brews[$part]}"); fi
	done
	((${#found[@]} == 0)) || brew install "${found[@]}"
}

# bring LIST OPTION... installs the packages of the parts in an array.
bring() {
	local -n parts=$1
	shift
	((${#parts[@]})) || return 0
	# shellcheck disable=SC2046 # package names are words
	apt install --no-install-recommends "$@" $(packages_of "${parts[@]}")
}

# by_hand says how the user can install the parts.
by_hand() {
	if command -v apt-get >/dev/null; then
		printf 'As root: bash "%s/setup/packages.sh" %s(it installs %s)\n' "$root" "${purpose:+$purpose }" "$(packages_of "$@" | sed 's/ $//')"
	elif [[ $OSTYPE == darwin* ]]; then
		printf 'Install Homebrew and the compiler (xcode-select --install), then start again.\n'
	else
		printf "Install it with this system's package manager, then start again.\n"
	fi
}

# go_on ends the script although optional parts are missing.
go_on() {
	say "Going on without:"
	told "$@"
	if [[ -n $(missing_of "${serving[@]}") ]]; then say "  Shaders will run in the simulator, which needs no driver and is slower."; fi
	say "  → $(by_hand "$@")"
	exit 0
}

mapfile -t missing < <(missing_of "${required[@]}")
mapfile -t lacking < <(missing_of "${serving[@]}" "${wanted[@]}"; if has_driver; then missing_of mesa; fi)
((${#missing[@]} + ${#lacking[@]})) || exit 0

can_install=no
if command -v apt-get >/dev/null; then
	if ((EUID == 0)) || command -v sudo >/dev/null; then can_install=apt; fi
elif command -v brew >/dev/null; then
	can_install=brew
fi

# is_worth_a_password reports whether a missing part justifies asking for a password.
is_worth_a_password() { [[ $can_install == brew ]] || ((EUID == 0)) || [[ -n $(missing_of "${serving[@]}") ]]; }

# Try optional parts only once.
if ((${#missing[@]} == 0)) && { [[ $can_install == no ]] || ! is_worth_a_password || is_stamped wanted "${lacking[*]}"; }; then
	go_on "${lacking[@]}"
fi

if [[ $can_install == no ]]; then
	stop "This machine lacks:"$'\n'"$(told "${missing[@]}" "${lacking[@]}")" "$(by_hand "${missing[@]}" "${lacking[@]}")"
fi

# cannot stops if a required part is missing, and otherwise continues.
cannot() {
	((${#missing[@]} == 0)) || stop "$@"
	stamp wanted "${lacking[*]}"
	go_on "${lacking[@]}"
}

say "Installing what this machine lacks:"
told "${missing[@]}" "${lacking[@]}"
if [[ $can_install == brew ]]; then
	install() { brew_install "$@"; }
elif ((EUID != 0)); then
	say "  (packages need root: sudo may ask for your password)"
	sudo -v || cannot "Without root no packages can be installed." "$(by_hand "${missing[@]}" "${lacking[@]}")"
fi
step packages "System packages" install "${missing[@]}" "${lacking[@]}" ||
	{ ((${#missing[@]})) && step packages "The required ones" install "${missing[@]}"; } ||
	cannot "The system's packages could not be installed." "Is the network up, and are the sources of $can_install right? Then start again."

stamp wanted "${lacking[*]}"

mapfile -t missing < <(missing_of "${required[@]}")
((${#missing[@]} == 0)) || stop "Still missing after the installation:"$'\n'"$(told "${missing[@]}")" \
	"$(by_hand "${missing[@]}")"
mapfile -t lacking < <(missing_of "${serving[@]}")
((${#lacking[@]} == 0)) || go_on "${lacking[@]}"
