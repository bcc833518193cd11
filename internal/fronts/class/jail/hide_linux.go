package jail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// HidesFiles reports whether the kernel hides files from jailed processes: whether it has Landlock,
// which Linux got in version 5.13. Some kernels are built or started without it.
func HidesFiles() bool { return landlockVersion() > 0 }

// landlockVersion returns the version of Landlock's interface, or 0 if the kernel offers none.
func landlockVersion() int {
	version, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// hiddenVariable is set in a process from which files are hidden.
const hiddenVariable = "WGSLAB_FILES_HIDDEN"

// hideFiles lets this process read and write only its current folder, and read what checks and
// drivers need. Landlock restricts only the calling thread, and Go already has others. So this
// thread starts the program again, in the same process: every thread of the new run is restricted.
func hideFiles() error {
	version := landlockVersion()
	if version == 0 || os.Getenv(hiddenVariable) != "" {
		return nil
	}
	runtime.LockOSThread() // until the new run replaces it
	rules, err := checkRules(version)
	if err == nil {
		err = restrictFiles(version, rightsOf(version), rules)
	}
	if err != nil {
		return fmt.Errorf("hiding files: %w", err)
	}
	err = unix.Exec("/proc/self/exe", os.Args, append(os.Environ(), hiddenVariable+"=1"))
	return fmt.Errorf("starting again without files: %w", err)
}

// Landlock's rights. Those to files apply to single files as well as to everything in a folder.
const (
	readingFiles = unix.LANDLOCK_ACCESS_FS_READ_FILE
	reading      = readingFiles | unix.LANDLOCK_ACCESS_FS_READ_DIR
	using        = reading | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	toFiles = using&^unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_EXECUTE
	devices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// rightsOf returns all rights that a version of Landlock controls, except to execute: the system
// call filter forbids that, after this program has started again.
func rightsOf(version int) uint64 {
	rights := uint64(unix.LANDLOCK_ACCESS_FS_REFER-1) &^ unix.LANDLOCK_ACCESS_FS_EXECUTE
	if version >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// checkRules returns the rules for what a check needs.
func checkRules(version int) ([]rule, error) {
	folder, err := os.Getwd()
	return append(neededFiles(), rule{folder, rightsOf(version) &^ devices}), err
}

// restrictFiles takes the calling thread's rights to files, except what the rules allow.
func restrictFiles(version int, rights uint64, allowed []rule) error {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rights}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL // in case the filter lets one through
	}
	fd, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	rules := ruleset{int(fd), attr.Handled_access_fs}
	defer unix.Close(rules.fd)
	if err := rules.allowAll(allowed); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// A ruleset is a set of Landlock's rules that is being built.
type ruleset struct {
	fd      int
	handled uint64 // the rights that it controls
}

// allowAll adds rules.
func (r ruleset) allowAll(rules []rule) error {
	for _, one := range rules {
		fd, err := r.allow(one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.path, err)
		}
		unix.Close(fd)
	}
	// The new run inherits this file: as long as it is open, the kernel keeps the entry that the
	// rule is about. Otherwise a machine short of memory could forget it, and the rule with it.
	_, err := r.allow(rule{"/proc/self", reading})
	return err
}

// allow adds a rule, and returns the open file or folder. It skips what isn't there or is already
// out of reach; then the file is -1.
func (r ruleset) allow(one rule) (fd int, err error) {
	fd, err = unix.Open(one.path, unix.O_PATH, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return -1, err
	}
	attr := unix.LandlockPathBeneathAttr{Parent_fd: int32(fd), Allowed_access: one.rights & r.handled}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		attr.Allowed_access &= toFiles
	}
	if attr.Allowed_access == 0 { // Landlock refuses a rule that allows nothing
		return fd, nil
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE,
		uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return fd, nil
}
