//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is what each pod took of the machine: the last that its cgroup said before it
// was gone.
type usage struct {
	seconds map[string]float64 // of a processor
	peak    map[string]float64 // bytes of memory, files that were read among them
}

// lookAtPods is how often a pod's cgroup is read.
const lookAtPods = 200 * time.Millisecond

// watchUsage reads the cgroups of all pods until stop is called, which returns what
// they said.
func (p places) watchUsage() (stop func() usage) {
	u := usage{map[string]float64{}, map[string]float64{}}
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

func (u usage) look(cgroup string) {
	read(u.seconds, cgroup, "cpuacct", "cpuacct.usage", 1e-9)
	read(u.peak, cgroup, "memory", "memory.max_usage_in_bytes", 1)
}

// read reads one number of each pod in a hierarchy of the first version of cgroups.
func read(into map[string]float64, cgroup, controller, name string, unit float64) {
	files, err := filepath.Glob(filepath.Join(cgroupMount, controller, cgroup, "kubepods", "*", "pod*", name))
	if err != nil {
		return
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the pod has ended
		}
		if value, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil && value > 0 {
			into[filepath.Base(filepath.Dir(path))] = value * unit
		}
	}
}

// each puts into words what a class took, for each student and each pod. Where cgroups
// said nothing, neither does it.
func (u usage) each(students int) string {
	if len(u.seconds) == 0 {
		return ""
	}
	var seconds, most float64
	for _, s := range u.seconds {
		seconds += s
	}
	for _, m := range u.peak {
		most = max(most, m)
	}
	return fmt.Sprintf(", %.1f s of a processor for a student, and at most %.0f MB for a pod", seconds/float64(students), most/1e6)
}
