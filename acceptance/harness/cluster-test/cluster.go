//go:build linux

package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"text/template"
	"time"
)

// version is the Kubernetes version in modules/kubernetes/go.mod.
const version = "v1.34.4"

const pauseImage = "localhost/pause:1"

//go:embed manifests
var manifests embed.FS

// fill writes one of the manifests, with its open values filled in.
func fill(name, path string, open any) error {
	t, err := template.ParseFS(manifests, "manifests/"+name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, open); err != nil {
		return fmt.Errorf("filling in %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("making a folder for %s: %w", name, err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// A service is a process that runs as long as the cluster does.
type service struct {
	name  string
	cmd   *exec.Cmd
	ended chan struct{}
}

// start starts a program that logs to the file with its name.
func (p places) start(name string, arguments ...string) (*service, error) {
	log, err := os.OpenFile(p.at("logs", name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", name, err)
	}
	defer log.Close()
	program := filepath.Join(p.parts, name)
	if _, err := os.Stat(program); err != nil {
		program = name // Debian's own
	}
	s := &service{name, exec.Command(program, arguments...), make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr, s.cmd.Dir = log, log, p.work
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	go func() {
		_ = s.cmd.Wait() // code that waits for the service sees that it ended
		close(s.ended)
	}()
	return s, nil
}

// kill ends the service like a power cut.
func (s *service) kill() {
	_ = s.cmd.Process.Kill() // fails if it has ended, which is fine
	<-s.ended
}

// A cluster is a control plane and one node.
type cluster struct {
	places
	containerd, kubelet *service
}

// newCluster starts everything and waits until the node is ready.
func newCluster(ctx context.Context, p places) (*cluster, error) {
	c := &cluster{places: p}
	for _, step := range []func(context.Context) error{
		c.writeFiles, c.certify, c.startControl, c.startContainerd, c.loadImages, c.startKubelet, c.waitNode, c.startNetwork,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *cluster) writeFiles(context.Context) error {
	open := map[string]string{
		"Work": c.work, "Version": version, "NodeName": nodeName, "NodeAddress": nodeAddress,
		"PodNet": podNet, "ServiceNet": serviceNet, "Cgroup": c.cgroup, "PauseImage": pauseImage,
	}
	for name, path := range map[string]string{
		"kubeadm.yaml":    c.at("kubeadm.yaml"),
		"kubelet.yaml":    c.at("kubelet.yaml"),
		"containerd.toml": c.at("containerd.toml"),
		"pods.conflist":   c.at("cni", "pods.conflist"),
		"proxy.yaml":      c.at("proxy.yaml"),
		"Corefile":        c.at("Corefile"),
	} {
		if err := fill(name, path, open); err != nil {
			return err
		}
	}
	return nil
}

// certify makes kubeadm create all keys, certificates and logins.
func (c *cluster) certify(ctx context.Context) error {
	if _, err := c.command(ctx, "kubeadm", "init", "phase", "certs", "all", "--config", c.at("kubeadm.yaml")); err != nil {
		return err
	}
	if _, err := c.command(ctx, "kubeadm", "init", "phase", "kubeconfig", "all", "--config", c.at("kubeadm.yaml"), "--kubeconfig-dir", c.at("logins")); err != nil {
		return err
	}
	login, err := c.command(ctx, "kubeadm", "kubeconfig", "user", "--config", c.at("kubeadm.yaml"), "--client-name", "system:kube-proxy")
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.at("logins", "proxy.conf"), []byte(login), 0o600); err != nil {
		return fmt.Errorf("writing a login: %w", err)
	}
	return nil
}

func (c *cluster) startControl(ctx context.Context) error {
	pki := func(name string) string { return c.at("pki", name) }
	login := func(name string) string { return "--kubeconfig=" + c.at("logins", name+".conf") }
	for _, s := range [][]string{
		{
			"etcd", "--data-dir=" + c.at("etcd"), "--unsafe-no-fsync",
			"--listen-client-urls=http://127.0.0.1:2379", "--advertise-client-urls=http://127.0.0.1:2379", "--listen-peer-urls=http://127.0.0.1:2380",
		},
		{
			"kube-apiserver", "--etcd-servers=http://127.0.0.1:2379", "--advertise-address=" + nodeAddress,
			"--allow-privileged", "--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction", "--service-cluster-ip-range=" + serviceNet,
			"--client-ca-file=" + pki("ca.crt"), "--tls-cert-file=" + pki("apiserver.crt"), "--tls-private-key-file=" + pki("apiserver.key"),
			"--kubelet-client-certificate=" + pki("apiserver-kubelet-client.crt"), "--kubelet-client-key=" + pki("apiserver-kubelet-client.key"),
			"--kubelet-preferred-address-types=InternalIP",
			"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + pki("sa.pub"), "--service-account-signing-key-file=" + pki("sa.key"),
		},
		{
			"kube-controller-manager", login("controller-manager"), "--leader-elect=false", "--use-service-account-credentials",
			"--service-account-private-key-file=" + pki("sa.key"), "--root-ca-file=" + pki("ca.crt"),
		},
		{"kube-scheduler", login("scheduler"), "--leader-elect=false"},
	} {
		if _, err := c.start(s[0], s[1:]...); err != nil {
			return err
		}
	}
	if err := c.until(ctx, 2*time.Minute, "the control plane answers", func() error {
		_, err := c.kubectl(ctx, "super-admin", "get", "--raw", "/readyz")
		return err
	}); err != nil {
		return err
	}
	// kubeadm's own init would also do this first: the administrators' group gets its role.
	_, err := c.kubectl(ctx, "super-admin", "create", "clusterrolebinding", "kubeadm:cluster-admins", "--clusterrole=cluster-admin", "--group=kubeadm:cluster-admins")
	return err
}

// startNetwork starts the programs that resolve the addresses and names of services.
func (c *cluster) startNetwork(context.Context) error {
	for _, s := range [][]string{
		{"kube-proxy", "--config=" + c.at("proxy.yaml"), "--hostname-override=" + nodeName},
		{"coredns", "-conf=" + c.at("Corefile")},
	} {
		if _, err := c.start(s[0], s[1:]...); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) startContainerd(ctx context.Context) (err error) {
	c.containerd, err = c.start("containerd", "--config", c.at("containerd.toml"))
	if err != nil {
		return err
	}
	return c.until(ctx, time.Minute, "containerd answers", func() error {
		_, err := c.command(ctx, "ctr", "version")
		return err
	})
}

func (c *cluster) loadImages(ctx context.Context) error {
	more, err := filepath.Glob(filepath.Join(c.parts, "*.tar"))
	if err != nil {
		return fmt.Errorf("looking for images: %w", err)
	}
	for _, archive := range append(more, c.image) {
		if _, err := c.command(ctx, "ctr", "--namespace", "k8s.io", "images", "import", archive); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) startKubelet(context.Context) (err error) {
	c.kubelet, err = c.start("kubelet", "--config="+c.at("kubelet.yaml"), "--kubeconfig="+c.at("logins", "kubelet.conf"),
		"--hostname-override="+nodeName, "--node-ip="+nodeAddress)
	return err
}

func (c *cluster) waitNode(ctx context.Context) error {
	return c.until(ctx, 2*time.Minute, "the node is ready", func() error {
		_, err := c.kubectl(ctx, "admin", "wait", "--for=condition=Ready", "--timeout=5s", "node/"+nodeName)
		return err
	})
}

// restartNode turns the node off and on again. The control plane keeps running; in a larger cluster
// it is on another machine.
func (c *cluster) restartNode(ctx context.Context) error {
	c.kubelet.kill()
	c.containerd.kill()
	if err := c.killPods(); err != nil {
		return err
	}
	// Mounts below /run do not survive a node's restart.
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return fmt.Errorf("looking for what is mounted: %w", err)
	}
	for line := range strings.Lines(string(mounts)) {
		if place := strings.Fields(line)[1]; strings.HasPrefix(place, "/run/") || strings.HasPrefix(place, "/var/lib/kubelet/") {
			_ = syscall.Unmount(place, syscall.MNT_DETACH) // it may be gone with the one above it
		}
	}
	if err := os.RemoveAll("/run/containerd"); err != nil {
		return fmt.Errorf("emptying /run: %w", err)
	}
	if err := c.startContainerd(ctx); err != nil {
		return err
	}
	if err := c.startKubelet(ctx); err != nil {
		return err
	}
	return c.waitNode(ctx)
}

// killPods kills all processes of pods, and the processes that supervise them.
func (c *cluster) killPods() error {
	names, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		return fmt.Errorf("looking for the pods' processes: %w", err)
	}
	for _, name := range names {
		dir := filepath.Dir(name)
		groups, _ := os.ReadFile(name) // a process that has ended has none
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		if !bytes.Contains(groups, []byte(c.cgroup+"/")) && !bytes.HasPrefix(comm, []byte("containerd-shim")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			return fmt.Errorf("reading a process id: %w", err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("killing a pod's process: %w", err)
		}
	}
	return nil
}

// command runs a program to its end and returns its output.
func (c *cluster) command(ctx context.Context, name string, arguments ...string) (string, error) {
	program := filepath.Join(c.parts, name)
	if _, err := os.Stat(program); err != nil {
		program = name
	}
	cmd := exec.CommandContext(ctx, program, arguments...)
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &said, &complained, c.work
	if err := cmd.Run(); err != nil {
		return said.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(arguments, " "), err, strings.TrimSpace(complained.String()))
	}
	return said.String(), nil
}

// kubectl runs kubectl as a user whom kubeadm knows.
func (c *cluster) kubectl(ctx context.Context, who string, arguments ...string) (string, error) {
	return c.command(ctx, "kubectl", append([]string{"--kubeconfig", c.at("logins", who+".conf")}, arguments...)...)
}

// shell runs commands in a folder, as a user whom kubeadm knows.
func (c *cluster) shell(ctx context.Context, dir, who, commands string) (string, error) {
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.at("logins", who+".conf"), "PATH="+c.parts+":"+os.Getenv("PATH"))
	cmd.WaitDelay = 10 * time.Second
	said, err := cmd.CombinedOutput()
	if err != nil {
		return string(said), fmt.Errorf("%s\n%w: %s", commands, err, said)
	}
	return string(said), nil
}

// until retries until try succeeds. When timeout has passed, it returns the last error.
func (c *cluster) until(ctx context.Context, timeout time.Duration, what string, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting until %s: %w", what, err)
		case <-time.After(500 * time.Millisecond):
		}
	}
}
