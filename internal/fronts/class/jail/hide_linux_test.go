package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() {
	probes["reading"], probes["writing"], probes["own files"] = probeReading, probeWriting, probeOwnFiles
}

// Variables for probes.
const (
	outsideVariable = "LP_TEST_OUTSIDE" // a folder with another student's shader
	homeVariable    = "LP_TEST_HOME"    // the grader's home folder
)

const othersFile = "add.wgsl"

// outside makes a folder with another student's shader. It skips a test on a kernel that can't hide
// files.
func outside(t *testing.T) (shader string) {
	t.Helper()
	if !HidesFiles() {
		t.Skip("this kernel has no Landlock, so nothing hides files: run the test on Linux 5.13 or " +
			"newer, with landlock in /sys/kernel/security/lsm")
	}
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	t.Setenv(homeVariable, home)
	t.Setenv(outsideVariable, t.TempDir())
	shader = filepath.Join(os.Getenv(outsideVariable), othersFile)
	require.NoError(t, os.WriteFile(shader, []byte("fn main() {}"), 0o644))
	return shader
}

// An attempt is something that a jailed process tries.
type attempt struct {
	what string
	do   func() error
}

// attemptAll prints the errors of attempts.
func attemptAll(attempts []attempt) {
	for _, a := range attempts {
		err := a.do()
		var errno unix.Errno
		if errors.As(err, &errno) {
			fmt.Printf("%s: %s\n", a.what, unix.ErrnoName(errno))
			continue
		}
		fmt.Printf("%s: %v\n", a.what, err)
	}
}

func reads(path string) func() error {
	return func() error { _, err := os.ReadFile(path); return err }
}

func lists(folder string) func() error {
	return func() error { _, err := os.ReadDir(folder); return err }
}

func probeReading() {
	folder, grader := os.Getenv(outsideVariable), filepath.Join("/proc", strconv.Itoa(os.Getppid()))
	shader := filepath.Join(folder, othersFile)
	attemptAll([]attempt{
		{"shader", reads(shader)},
		{"shader, by a link", func() error { return errors.Join(os.Symlink(shader, "link"), reads("link")()) }},
		{"shader, by /proc", reads("/proc/self/root" + shader)},
		{"shader, into the folder", func() error { return os.Link(shader, "mine.wgsl") }},
		{"folder of submissions", lists(folder)},
		{"folders of other jailed processes", lists("..")},
		{"home", lists(os.Getenv(homeVariable))},
		{"/tmp", lists("/tmp")},
		{"/etc/passwd", reads("/etc/passwd")},
		{"nbgrader's exchange", lists("/usr/local/share")},
		{"grader's environment", reads(filepath.Join(grader, "environ"))},
		{"grader's command", reads(filepath.Join(grader, "cmdline"))},
		{"grader's folder", lists(filepath.Join(grader, "cwd"))},
		{"processes", lists("/proc")},
		{"memory that processes share", lists("/dev/shm")},
		{"news of a folder", func() error { _, err := unix.InotifyInit1(0); return err }},
		{"file by its number", func() error { _, _, err := unix.NameToHandleAt(unix.AT_FDCWD, shader, 0); return err }},
	})
}

func TestReadsNoFiles(t *testing.T) {
	outside(t)
	require.Equal(t, `shader: EACCES
shader, by a link: EACCES
shader, by /proc: EACCES
shader, into the folder: EXDEV
folder of submissions: EACCES
folders of other jailed processes: EACCES
home: EACCES
/tmp: EACCES
/etc/passwd: EACCES
nbgrader's exchange: EACCES
grader's environment: EACCES
grader's command: EACCES
grader's folder: EACCES
processes: EACCES
memory that processes share: EACCES
news of a folder: EPERM
file by its number: EPERM
`, runProbe(t, "reading"))
}

func probeWriting() {
	folder := os.Getenv(outsideVariable)
	shader := filepath.Join(folder, othersFile)
	opens := func(path string, flags int) func() error {
		return func() error { _, err := unix.Open(path, flags, 0o600); return err }
	}
	attemptAll([]attempt{
		{"shader", opens(shader, unix.O_WRONLY)},
		{"new file", opens(filepath.Join(folder, "new"), unix.O_WRONLY|unix.O_CREAT)},
		{"new folder", func() error { return os.Mkdir(filepath.Join(folder, "new"), 0o700) }},
		{"removed", func() error { return os.Remove(shader) }},
		{"moved", func() error { return os.Rename(shader, filepath.Join(folder, "moved")) }},
		{"taken", func() error { return os.Rename(shader, "taken") }},
		{"emptied", func() error { return os.Truncate(shader, 0) }},
		{"emptied while reading", opens(shader, unix.O_RDONLY|unix.O_TRUNC)},
		{"emptied without reading", opens(shader, unix.O_ACCMODE|unix.O_TRUNC)},
		{"locked up", func() error { return os.Chmod(shader, 0) }},
		{"dated", func() error { return os.Chtimes(shader, time.Unix(0, 0), time.Unix(0, 0)) }},
		{"marked", func() error { return unix.Setxattr(shader, "user.mark", []byte("x"), 0) }},
		{"given away", func() error { return os.Chown(shader, os.Getuid(), os.Getgid()) }},
		{"/dev/shm", opens("/dev/shm", unix.O_WRONLY|unix.O_TMPFILE)},
		{"library", opens("/usr/lib", unix.O_WRONLY|unix.O_TMPFILE)},
		{"own memory", opens("/proc/self/mem", unix.O_WRONLY)},
		{"device", func() error { return unix.Mknod("null", unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3))) }},
	})
}

func TestWritesNoFiles(t *testing.T) {
	shader := outside(t)
	require.Equal(t, `shader: EACCES
new file: EACCES
new folder: EACCES
removed: EACCES
moved: EACCES
taken: EACCES
emptied: EPERM
emptied while reading: EPERM
emptied without reading: EPERM
locked up: EPERM
dated: EPERM
marked: EPERM
given away: EPERM
/dev/shm: EACCES
library: EACCES
own memory: EACCES
device: EACCES
`, runProbe(t, "writing"))
	text, err := os.ReadFile(shader)
	require.NoError(t, err)
	require.Equal(t, "fn main() {}", string(text))
}

// probeOwnFiles does what drivers and Go do.
func probeOwnFiles() {
	attemptAll([]attempt{
		{"write", func() error { return os.WriteFile("cache", []byte("x"), 0o600) }},
		{"read", reads("cache")},
		{"make", func() error { return os.MkdirAll("a/b", 0o700) }},
		{"move", func() error { return os.Rename("cache", "kept") }},
		{"list", lists("a/b")},
		{"remove", func() error { return os.RemoveAll("a") }},
		{"own memory", reads("/proc/self/statm")},
		{"own threads", lists("/proc/self/task")},
		{"processors", lists("/sys/devices/system/cpu")},
		{"nothing", func() error { return os.WriteFile(os.DevNull, nil, 0o600) }},
		{"chance", func() error { _, err := os.Open("/dev/urandom"); return err }},
		{"device", openDevice},
	})
}

// openDevice opens a device with flags that equal the number of open on amd64, and a path whose
// address has the bit of O_TRUNC. A filter that confuses the two calls refuses it.
func openDevice() error {
	const writable = unix.PROT_READ | unix.PROT_WRITE
	page, err := unix.Mmap(-1, 0, os.Getpagesize(), writable, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	path := page[unix.O_TRUNC:]
	copy(path, os.DevNull+"\x00")
	folder := unix.AT_FDCWD
	_, _, errno := unix.Syscall6(unix.SYS_OPENAT,
		uintptr(folder), uintptr(unsafe.Pointer(&path[0])), unix.O_RDWR, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func TestOwnFiles(t *testing.T) {
	outside(t)
	require.Equal(t, `write: <nil>
read: <nil>
make: <nil>
move: <nil>
list: <nil>
remove: <nil>
own memory: <nil>
own threads: <nil>
processors: <nil>
nothing: <nil>
chance: <nil>
device: <nil>
`, runProbe(t, "own files"))
}
