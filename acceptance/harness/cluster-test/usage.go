//go:build linux

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// usage records each pod's use of the machine, by the pod's cgroup.
type usage struct {
	seconds map[string]float64 // of CPU time, the last reading
	memory  map[string]float64 // the maximum in bytes, without cached files that can be dropped
	killed  map[string]float64 // processes that were killed for lack of memory
}

// lookAtPods is how often a pod's cgroup is read.
const lookAtPods = 100 * time.Millisecond

// watchUsage reads the cgroups of all pods until the caller calls stop, which returns the readings.
func (p places) watchUsage() (stop func() usage) {
	u := usage{map[string]float64{}, map[string]float64{}, map[string]float64{}}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			u.look(p.cgroup)
			select {
			case <-end:
				return
			case <-time.After(lookAtPods):
			}
		}
	}()
	return func() usage {
		close(end)
		<-ended
		return u
	}
}

// look reads hierarchies of cgroup v1. On cgroup v2 it finds nothing.
func (u usage) look(cgroup string) {
	for id, dir := range podsIn(cgroup, "cpuacct") {
		if used, ok := number(dir, "cpuacct.usage", ""); ok && used > 0 {
			u.seconds[id] = used / 1e9
		}
	}
	for id, dir := range podsIn(cgroup, "memory") {
		all, ok := number(dir, "memory.usage_in_bytes", "")
		files, known := number(dir, "memory.stat", "total_inactive_file")
		if ok && known {
			u.memory[id] = max(u.memory[id], all-files)
		}
		if killed, ok := number(dir, "memory.oom_control", "oom_kill"); ok {
			u.killed[id] = killed
		}
	}
}

// podsIn returns the pods' cgroups of one controller.
func podsIn(cgroup, controller string) map[string]string {
	dirs, err := filepath.Glob(filepath.Join(cgroupMount, controller, cgroup, "kubepods", "*", "pod*"))
	if err != nil {
		return nil
	}
	pods := map[string]string{}
	for _, dir := range dirs {
		pods[filepath.Base(dir)] = dir
	}
	return pods
}

// number reads the number after a name in a cgroup's file, or the only number. ok is false if the
// pod has ended.
func number(dir, file, name string) (value float64, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		word, ok := strings.CutPrefix(strings.TrimSpace(line), name)
		if !ok {
			continue
		}
		if value, err := strconv.ParseFloat(strings.TrimSpace(word), 64); err == nil {
			return value, true
		}
	}
	return 0, false
}

// of returns the usage of some pods: those of another classroom may still be ending.
func (u usage) of(pods []pod) usage {
	others := func(id string, _ float64) bool {
		return !slices.ContainsFunc(pods, func(p pod) bool { return "pod"+p.Metadata.UID == id })
	}
	for _, one := range []map[string]float64{u.seconds, u.memory, u.killed} {
		maps.DeleteFunc(one, others)
	}
	return u
}

// total returns the CPU time of all pods together.
func (u usage) total() (seconds float64) {
	for _, s := range u.seconds {
		seconds += s
	}
	return seconds
}

// most returns the memory of the pod that used the most.
func (u usage) most() (bytes float64) {
	for _, m := range u.memory {
		bytes = max(bytes, m)
	}
	return bytes
}

// killedForMemory returns an error if a pod's process was killed for lack of memory.
func (u usage) killedForMemory() error {
	for id, n := range u.killed {
		if n > 0 {
			return fmt.Errorf("%.0f processes of %s were ended for want of memory", n, id)
		}
	}
	return nil
}

// each describes a class's usage, per student and per pod. Without readings from cgroups it returns
// "".
func (u usage) each(students int) string {
	if len(u.seconds) == 0 {
		return ""
	}
	return fmt.Sprintf(", %.1f s of a processor for a student, and at most %.0f MB for a pod", u.total()/float64(students), u.most()/1e6)
}
