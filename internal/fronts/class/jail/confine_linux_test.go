package jail

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"golang.org/x/sys/unix"
)

func init() {
	probes["outside"], probes["signals"] = probeOutside, probeSignals
	probes["processes"], probes["numbers"] = probeProcesses, probeNumbers
	probes["inherited"] = probeInherited
}

// listenerVariable names a TCP address that would answer.
const listenerVariable = "LP_TEST_LISTENER"

func probeOutside() {
	_ = limitMemory(usage.For(shader.CPU, 1))
	_, err := net.Dial("tcp", os.Getenv(listenerVariable))
	fmt.Println("tcp:", errors.Is(err, syscall.EPERM))
	_, err = net.Dial("unix", "/run/nobody")
	fmt.Println("unix:", errors.Is(err, syscall.EPERM))
	err = exec.Command("/bin/true").Run()
	fmt.Println("exec:", errors.Is(err, syscall.EPERM))
	var now unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_DATA, &now)
	fmt.Println("memory:", now.Cur)
	nice, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	fmt.Println("nice:", 20-nice, err)
	dir, err := os.Getwd()
	entries, _ := os.ReadDir(dir)
	fmt.Println("folder:", dir == os.Getenv("HOME"), dir == os.TempDir(), len(entries), err)
	fmt.Println("secret:", os.Getenv("WGSLAB_TEST_SECRET"))
}

func TestConfined(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a listener that would answer
	require.NoError(t, err)
	defer listener.Close()
	t.Setenv(listenerVariable, listener.Addr().String())
	t.Setenv("WGSLAB_TEST_SECRET", "do not tell")
	own, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // 20 minus the niceness
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf(`tcp: true
unix: true
exec: true
memory: %d
nice: %d <nil>
folder: true true 0 <nil>
secret: 
`, usage.For(shader.CPU, 1), max(niceness, 20-own)), runProbe(t, "outside"))
}

// try makes a system call and prints its error.
func try(what string, number uintptr, arguments ...uintptr) {
	var a [6]uintptr
	copy(a[:], arguments)
	_, _, errno := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	fmt.Printf("%s: %v\n", what, unix.ErrnoName(errno))
}

// probeSignals sends the grader signal 0, which only asks whether one could.
func probeSignals() {
	grader, own := uintptr(os.Getppid()), uintptr(os.Getpid())
	info := [16]uint64{1: 0xffffffff} // of a signal that a process queues
	about := uintptr(unsafe.Pointer(&info))
	try("kill", unix.SYS_KILL, grader, 0)
	try("tkill", unix.SYS_TKILL, grader, 0)
	try("tgkill", unix.SYS_TGKILL, grader, grader, 0)
	try("tgkill, by bits that the kernel ignores", unix.SYS_TGKILL, own|1<<32, own, 0)
	try("rt_sigqueueinfo", unix.SYS_RT_SIGQUEUEINFO, grader, 0, about)
	try("rt_tgsigqueueinfo", unix.SYS_RT_TGSIGQUEUEINFO, grader, grader, 0, about)
	try("pidfd_send_signal", unix.SYS_PIDFD_SEND_SIGNAL, 0, 0, 0, 0)
	try("F_SETOWN", unix.SYS_FCNTL, 0, unix.F_SETOWN, grader)
	try("F_SETOWN, by bits that the kernel ignores", unix.SYS_FCNTL, 0, unix.F_SETOWN|1<<32, grader)
	try("F_SETOWN_EX", unix.SYS_FCNTL, 0, unix.F_SETOWN_EX, about)
	try("own thread", unix.SYS_TGKILL, own, own, 0)
	try("flags of a file", unix.SYS_FCNTL, 0, unix.F_GETFL)
}

func TestSignals(t *testing.T) {
	require.Equal(t, `kill: EPERM
tkill: EPERM
tgkill: EPERM
tgkill, by bits that the kernel ignores: EPERM
rt_sigqueueinfo: EPERM
rt_tgsigqueueinfo: EPERM
pidfd_send_signal: EPERM
F_SETOWN: EPERM
F_SETOWN, by bits that the kernel ignores: EPERM
F_SETOWN_EX: EPERM
own thread: 
flags of a file: 
`, runProbe(t, "signals"))
}

// nobody is no process's or user's id. Without a filter, a call that names it changes nothing.
const nobody = 1 << 30

// probeProcesses tries to look into, slow down or make processes.
func probeProcesses() {
	grader := uintptr(os.Getppid())
	buffer := [1024]byte{}
	memory := uintptr(unsafe.Pointer(&buffer))
	try("pidfd_getfd", unix.SYS_PIDFD_GETFD, 0, 0, 0)
	try("process_madvise", unix.SYS_PROCESS_MADVISE, 0, memory, 0, 0, 0)
	try("kcmp", unix.SYS_KCMP, grader, grader, 0, 0, 0)
	try("prlimit64", unix.SYS_PRLIMIT64, nobody, unix.RLIMIT_NOFILE, 0, memory)
	try("sched_setaffinity", unix.SYS_SCHED_SETAFFINITY, nobody, unsafe.Sizeof(buffer), memory)
	try("setpriority", unix.SYS_SETPRIORITY, unix.PRIO_PROCESS, nobody, niceness)
	try("setpriority of a user", unix.SYS_SETPRIORITY, unix.PRIO_USER, nobody, niceness)
	try("shmget", unix.SYS_SHMGET, 1, 4096, 0o600)
	try("mq_open", unix.SYS_MQ_OPEN, memory, unix.O_RDWR)
	child, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if child == 0 && errno == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	} else {
		fmt.Println("clone:", unix.ErrnoName(errno))
	}
	try("own limits", unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE, 0, memory)
}

func TestProcesses(t *testing.T) {
	require.Equal(t, `pidfd_getfd: EPERM
process_madvise: EPERM
kcmp: EPERM
prlimit64: EPERM
sched_setaffinity: EPERM
setpriority: EPERM
setpriority of a user: EPERM
shmget: EPERM
mq_open: EPERM
clone: EPERM
own limits: 
`, runProbe(t, "processes"))
}

// probeInherited prints what the process has open, without what it opened itself.
func probeInherited() {
	files, _ := os.ReadDir("/proc/self/fd")
	for _, file := range files {
		path, _ := os.Readlink("/proc/self/fd/" + file.Name())
		if !strings.HasPrefix(path, "/proc/") && !strings.HasPrefix(path, "/sys/") && filepath.IsAbs(path) {
			fmt.Println(path)
		}
	}
}

// A shell may have files open that every program inherits which it starts.
func TestInheritsNothing(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	fd, err := unix.Open(secret, unix.O_RDWR|unix.O_CREAT, 0o600) // without O_CLOEXEC
	require.NoError(t, err)
	defer unix.Close(fd)
	require.Equal(t, "/dev/null\n", runProbe(t, "inherited"))
}

// newerCall is the number of a system call that the filter's table doesn't have yet: Linux 6.17's
// file_getattr.
const newerCall = 468

// probeNumbers tries system calls of which the filter knows no name.
func probeNumbers() {
	try("newer", newerCall)
	try("clone3", unix.SYS_CLONE3)
	try("openat2", unix.SYS_OPENAT2)
}

func TestNumbers(t *testing.T) {
	require.Equal(t, "newer: ENOSYS\nclone3: ENOSYS\nopenat2: ENOSYS\n", runProbe(t, "numbers"))
}

// A name that no table has would be left out of the filter silently.
func TestNamesAreSystemCalls(t *testing.T) {
	names := append(append([]string{}, forbidden...), missing...)
	for _, call := range byArgument(1) {
		names = append(names, call.name)
	}
	for _, name := range names {
		require.Contains(t, arch.X86_64.SyscallNames, name)
		require.Equal(t, strings.ToLower(name), name)
	}
	require.NotContains(t, arch.X86_64.SyscallNumbers, newerCall, "the table has grown: take a newer call")
}
