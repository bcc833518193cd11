// Package procs reads what Linux tells about processes.
package lab

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Process is a process at one moment.
type Process struct {
	PID, Parent int
	Name        string        // at most 15 bytes
	Started     string        // in ticks since the machine started: distinguishes it from a later process with its PID
	CPU         time.Duration // how long it has run
	Resident    int64         // bytes of memory, shared ones included
}

// tick is the unit in which Linux counts the time of a process for other programs.
const tick = 10 * time.Millisecond

// Read reads /proc/PID/stat: see proc_pid_stat(5). A zombie does not count as a process.
func ReadProcess(pid int) (p Process, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, false
	}
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	fields := strings.Fields(string(data[end+1:])) // from the third field on
	var numbers [4]int64
	for i, field := range []int{1, 11, 12, 21} { // the parent, user and system time, resident pages
		if numbers[i], err = strconv.ParseInt(fields[field], 10, 64); err != nil {
			return Process{}, false
		}
	}
	return Process{
		PID: pid, Parent: int(numbers[0]), Name: string(data[open+1 : end]), Started: fields[19],
		CPU: time.Duration(numbers[1]+numbers[2]) * tick, Resident: numbers[3] * int64(os.Getpagesize()),
	}, fields[0] != "Z"
}

// All lists all processes of the machine.
func All() []Process {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // fails only on a bad pattern
	var all []Process
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if p, ok := ReadProcess(pid); ok {
			all = append(all, p)
		}
	}
	return all
}

// Descendants lists the child processes of a process, and their descendants.
func Descendants(of int) []Process {
	children := make(map[int][]Process)
	for _, p := range All() {
		children[p.Parent] = append(children[p.Parent], p)
	}
	var all []Process
	for queue := children[of]; len(queue) > 0; queue = queue[1:] {
		all = append(all, queue[0])
		queue = append(queue, children[queue[0].PID]...)
	}
	return all
}

// Lives reports whether the process still exists.
func (p Process) Lives() bool {
	now, ok := ReadProcess(p.PID)
	return ok && now.Started == p.Started
}

// Signal sends a signal to the process, unless it has ended: its PID may be another user's by now.
func (p Process) Signal(signal syscall.Signal) error {
	if !p.Lives() {
		return os.ErrProcessDone
	}
	return syscall.Kill(p.PID, signal)
}

// Outlives reports whether the process still exists after some time.
func (p Process) Outlives(timeout time.Duration) bool {
	for end := time.Now().Add(timeout); p.Lives(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return true
		}
	}
	return false
}

// Variable returns the value of a variable in the environment with which the process started.
func (p Process) Variable(name string) (value string, ok bool) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID)) // a process may end meanwhile
	for entry := range bytes.SplitSeq(data, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Arguments returns the command line of the process.
func (p Process) Arguments() []string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID)) // a process may end meanwhile
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// Proportional returns the proportional set size of the process in bytes: memory that n processes
// share counts as one nth. It is 0 for a process that has ended.
func (p Process) Proportional() int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.PID)) // a process may end meanwhile
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
