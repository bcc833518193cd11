package jail

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// forbidden lists the system calls that reach outside the process, or that change what Landlock
// doesn't guard. A driver that runs a shader needs none of them.
var forbidden = slices.Concat(
	[]string{ // the network
		"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
		"sendto", "sendmsg", "sendmmsg",
		"io_uring_setup", "io_uring_enter", "io_uring_register", // could do the same in another way
	},
	[]string{"execve", "execveat", "fork", "vfork"}, // other programs
	[]string{ // other processes
		"kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "pidfd_open",
		"pidfd_getfd", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise",
		"process_mrelease", "kcmp", "get_robust_list", "migrate_pages", "move_pages", "ioprio_set",
		"perf_event_open", "userfaultfd",
	},
	[]string{ // memory and messages that processes share by name
		"shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl",
		"msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
		"keyctl", "add_key", "request_key",
	},
	[]string{ // files by other ways than their path
		"name_to_handle_at", "open_by_handle_at", "chroot", "pivot_root", "unshare", "setns",
		"mount", "umount2", "move_mount", "mount_setattr", "open_tree", "open_tree_attr",
		"fsopen", "fsconfig", "fsmount", "fspick",
	},
	[]string{ // what Landlock allows for any file: to change its owner, rights and dates, and to watch it
		"truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
		"utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat",
		"removexattr", "lremovexattr", "fremovexattr", "removexattrat",
		"inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "fanotify_mark",
	},
	[]string{ // the machine, if root grades
		"bpf", "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
		"swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "iopl", "ioperm", "vhangup",
		"sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
	},
)

// missing lists the system calls whose arguments are in memory, where a filter can't see them. For
// them, as for any newer call, the kernel appears to be an older one, and libraries do without.
var missing = []string{"clone3", "openat2"}

// fileCommands lists what fcntl may do. Others send signals, or watch folders.
var fileCommands = []uint64{
	unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_DUPFD_QUERY,
	unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
	unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW,
	unix.F_ADD_SEALS, unix.F_GET_SEALS, unix.F_GETPIPE_SZ, unix.F_SETPIPE_SZ,
}

// A restricted system call is refused if its arguments meet all conditions of one list.
type restricted struct {
	name    string
	refused []seccomp.ArgumentConditions
}

// byArgument forbids system calls that may concern only this process, whose id is pid, or only some
// of whose arguments are harmless.
func byArgument(pid uint64) []restricted {
	const self = 0
	calls := []restricted{
		{"tgkill", noneOf(0, pid)}, // Go's runtime interrupts its own threads
		{"prlimit64", noneOf(0, self, pid)},
		{"setpriority", slices.Concat(noneOf(0, unix.PRIO_PROCESS), noneOf(1, self))},
		{"clone", []seccomp.ArgumentConditions{
			{{Argument: 0, Operation: seccomp.BitsNotSet, Value: unix.CLONE_THREAD}},
		}},
		{"fcntl", noneOf(1, fileCommands...)},
		{"openat", reachingPastLandlock(2)},
		{"open", reachingPastLandlock(1)},
	}
	for _, name := range []string{
		"sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler",
	} {
		calls = append(calls, restricted{name, noneOf(0, self)})
	}
	return calls
}

// noneOf is met if an argument has none of some values.
func noneOf(argument uint32, values ...uint64) []seccomp.ArgumentConditions {
	var all seccomp.ArgumentConditions
	for _, value := range values {
		all = append(all, seccomp.Condition{
			Argument: argument, Operation: seccomp.NotEqual, Value: value,
		})
	}
	return []seccomp.ArgumentConditions{all}
}

// reachingPastLandlock is met by flags with which a file opens in a way that Landlock misses. One
// empties a file: Landlock's versions 1 and 2 take it for reading. The other opens for ioctl alone.
func reachingPastLandlock(flags uint32) []seccomp.ArgumentConditions {
	return []seccomp.ArgumentConditions{
		{
			{Argument: flags, Operation: seccomp.BitsSet, Value: unix.O_TRUNC},
			{Argument: flags, Operation: seccomp.BitsNotSet, Value: unix.O_ACCMODE},
		},
		{
			{Argument: flags, Operation: seccomp.BitsSet, Value: unix.O_WRONLY},
			{Argument: flags, Operation: seccomp.BitsSet, Value: unix.O_RDWR},
		},
	}
}

// filterCalls has the kernel refuse, in all threads, the system calls that checking a shader does
// not need, but for some that are allowed.
func filterCalls(allowed ...string) error {
	own, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	lacks := func(name string) bool { // Arm has no fork
		_, ok := own.SyscallNames[name]
		return !ok || slices.Contains(allowed, name)
	}
	const refuse, feignAbsence = seccomp.ActionErrno, seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)
	groups := []seccomp.SyscallGroup{
		{Names: slices.DeleteFunc(slices.Clone(missing), lacks), Action: feignAbsence},
		{Names: slices.DeleteFunc(slices.Clone(forbidden), lacks), Action: refuse},
	}
	for _, call := range byArgument(uint64(os.Getpid())) {
		if lacks(call.name) {
			continue
		}
		group := seccomp.SyscallGroup{Action: refuse}
		for _, conditions := range call.refused {
			group.NamesWithCondtions = append(group.NamesWithCondtions,
				seccomp.NameWithConditions{Name: call.name, Conditions: conditions})
		}
		groups = append(groups, group)
	}
	// Each group is a filter of its own: after a call's arguments, the library's filters take the
	// argument that they read last for the number of the call.
	for _, group := range groups {
		if err := seccomp.LoadFilter(seccomp.Filter{
			NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, // for every thread, including running ones
			Policy: seccomp.Policy{
				DefaultAction: seccomp.ActionAllow, Syscalls: []seccomp.SyscallGroup{group},
			},
		}); err != nil {
			return err
		}
	}
	return refuseOthers(own)
}

// Offsets in what a filter sees of a system call.
const (
	offsetOfNumber       = 0
	offsetOfArchitecture = 4
)

// Instructions of a filter.
const (
	load      = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	ifEqual   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	ifGreater = unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K
	end       = unix.BPF_RET | unix.BPF_K
)

// refuseOthers has the kernel refuse system calls that aren't in a table. The library's filters
// allow them: those newer than the table, and those by the numbers of another architecture, as
// 32-bit code makes them, also in a 64-bit process.
func refuseOthers(table *arch.Info) error {
	newest := slices.Max(slices.Collect(maps.Keys(table.SyscallNumbers)))
	program := []unix.SockFilter{
		{Code: load, K: offsetOfArchitecture},
		{Code: ifEqual, K: uint32(table.ID), Jf: 2}, // another: on to the refusal
		{Code: load, K: offsetOfNumber},
		{Code: ifGreater, K: uint32(newest), Jf: 1}, // not newer: past the refusal
		{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: end, K: uint32(seccomp.ActionAllow)},
	}
	whole := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	failed, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&whole)))
	if errno != 0 {
		return errno
	}
	if failed != 0 {
		return fmt.Errorf("thread %d keeps its own filter", failed)
	}
	return nil
}
