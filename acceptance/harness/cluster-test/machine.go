//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The address of the node, and the networks of the pods' bridge and of the services.
const (
	nodeName    = "node"
	nodeAddress = "10.77.0.1"
	podNet      = "10.78.0.0/24"
	serviceNet  = "10.79.0.0/16"
)

const cgroupMount = "/sys/fs/cgroup"

// hierarchies returns the cgroup hierarchies: one per controller, or one for all of them.
func hierarchies() ([]string, error) {
	if _, err := os.Stat(filepath.Join(cgroupMount, "cgroup.controllers")); err == nil {
		return []string{cgroupMount}, nil
	}
	entries, err := os.ReadDir(cgroupMount)
	if err != nil {
		return nil, fmt.Errorf("looking for cgroups: %w", err)
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, filepath.Join(cgroupMount, e.Name()))
		}
	}
	return all, nil
}

// makeCgroups makes our own cgroup in every hierarchy.
func (p places) makeCgroups() error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, hierarchy := range all {
		if err := os.MkdirAll(hierarchy+p.cgroup, 0o755); err != nil {
			return fmt.Errorf("making a cgroup: %w", err)
		}
		// In cgroup v1, a cgroup without CPUs accepts no processes.
		for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
			value, err := os.ReadFile(filepath.Join(hierarchy, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(hierarchy+p.cgroup, name), value, 0o644)
			}
			if err != nil {
				return fmt.Errorf("setting up a cgroup: %w", err)
			}
		}
	}
	return nil
}

// removeCgroups removes our cgroups and those below them. The last process may need a moment to
// end.
func (p places) removeCgroups() error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, hierarchy := range all {
		for try := 0; ; try++ {
			err := removeCgroup(hierarchy + p.cgroup)
			if err == nil {
				break
			}
			if try == 50 {
				return fmt.Errorf("removing a cgroup: %w", err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}

func removeCgroup(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, removeCgroup(filepath.Join(dir, e.Name())))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syscall.Rmdir(dir))
}

// furnish turns the namespaces into a machine: mounts and a network that no other process sees.
func (p places) furnish(ctx context.Context) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping mounts to ourselves: %w", err)
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := p.ownFolders(); err != nil {
		return err
	}
	if err := p.ownTunables(); err != nil {
		return err
	}
	for _, line := range []string{
		"link set lo up",
		"link add node0 type bridge",
		"address add " + nodeAddress + "/24 dev node0",
		"link set node0 up",
		"route add " + serviceNet + " dev node0", // no host has these addresses: kube-proxy redirects them
	} {
		if said, err := exec.CommandContext(ctx, "ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, said)
		}
	}
	if err := os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o644); err != nil {
		return fmt.Errorf("letting packets through: %w", err)
	}
	return nil
}

// ownFolders mounts our own folders where Kubernetes' programs store files: /run is empty, and
// files below /var go to WORK.
func (p places) ownFolders() error {
	upper, scratch := p.at("var"), p.at("var-scratch")
	if err := makeFolders(upper, scratch); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", "/run", "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting /run: %w", err)
	}
	options := fmt.Sprintf("lowerdir=/var,upperdir=%s,workdir=%s", upper, scratch)
	if err := syscall.Mount("overlay", "/var", "overlay", 0, options); err != nil {
		return fmt.Errorf("mounting /var: %w", err)
	}
	// These two mount their own overlays there, which cannot be on top of another overlay.
	for _, name := range []string{"kubelet", "containerd"} {
		own, shown := p.at(name), filepath.Join("/var/lib", name)
		if err := makeFolders(own, shown); err != nil {
			return err
		}
		if err := syscall.Mount(own, shown, "", syscall.MS_BIND, ""); err != nil {
			return fmt.Errorf("mounting %s: %w", shown, err)
		}
	}
	return nil
}

func makeFolders(names ...string) error {
	for _, name := range names {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
	}
	return nil
}

// tunables are the kernel settings that kubelet requires, for the whole machine.
var tunables = map[string]string{
	"vm/overcommit_memory":      "1",
	"vm/panic_on_oom":           "0",
	"kernel/panic":              "10",
	"kernel/panic_on_oops":      "1",
	"kernel/keys/root_maxkeys":  "1000000",
	"kernel/keys/root_maxbytes": "25000000",
}

// ownTunables shows kubelet the values that it requires. The kernel's own values, which all
// processes on this machine share, stay unchanged.
func (p places) ownTunables() error {
	for name, value := range tunables {
		shown := p.at("sys", strings.ReplaceAll(name, "/", "-"))
		err := os.MkdirAll(filepath.Dir(shown), 0o755)
		if err == nil {
			err = os.WriteFile(shown, []byte(value+"\n"), 0o644)
		}
		if err == nil {
			err = syscall.Mount(shown, "/proc/sys/"+name, "", syscall.MS_BIND, "")
		}
		if err != nil {
			return fmt.Errorf("standing in for /proc/sys/%s: %w", name, err)
		}
	}
	return nil
}
