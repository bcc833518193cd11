//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A hub is a JupyterHub that was installed by the guide, with everything that its trials need.
type hub struct {
	*cluster
	guide   guided
	folder  string // the teacher's current folder
	address string // of the proxy; a load balancer would lead there
}

// hubTrials lists the trials, which run in order on the same hub. Each returns its observations.
var hubTrials = []hubTrial{
	{"JupyterHub: the values", (*hub).values},
	{"JupyterHub: the guide's commands", (*hub).install},
	{"JupyterHub: two learners side by side", (*hub).learners},
	{"JupyterHub: what a learner's pod may take", (*hub).limits},
	{"JupyterHub: culling", (*hub).culled},
	{"JupyterHub: a home that is kept", (*hub).kept},
}

// learners are the users that TestLearnersOnAHub logs in.
var learners = []string{"ada", "barbara"}

const (
	hubNamespace = "wgslab" // the guide's
	admin        = "admin"  // kubeadm knows this name
)

// charts returns the folder of the chart. It does not exist if the chart was left out.
func (c *cluster) charts() string { return filepath.Join(c.parts, "charts") }

// newHub makes the things that a cluster's owner provides and the files that a teacher writes. It
// serves the chart like its makers' site.
func newHub(ctx context.Context, c *cluster) (*hub, error) {
	guide, err := readGuide("JupyterHub")
	if err != nil {
		return nil, err
	}
	h := &hub{cluster: c, guide: guide, folder: c.at("teacher")}
	if err := os.CopyFS(filepath.Join(h.folder, "docker", "jupyterhub"), os.DirFS(filepath.Join("docker", "jupyterhub"))); err != nil {
		return nil, fmt.Errorf("copying docker/jupyterhub: %w", err)
	}
	if err := fill("yours.yaml", filepath.Join(h.folder, "yours.yaml"), nil); err != nil {
		return nil, err
	}
	if err := h.makeHomes(ctx); err != nil {
		return nil, err
	}
	site, err := serveFolder(c.charts())
	if err != nil {
		return nil, err
	}
	_, err = h.ask(ctx, "helm repo add jupyterhub "+site)
	return h, err
}

// ask runs commands as the teacher.
func (h *hub) ask(ctx context.Context, commands string) (string, error) {
	return h.shell(ctx, h.folder, admin, commands)
}

// makeHomes makes a volume for the hub and one for each learner.
func (h *hub) makeHomes(ctx context.Context) error {
	type volume struct{ Name, Claim, Folder string }
	volumes := []volume{{"hub", "hub-db-dir", ""}}
	for _, name := range learners {
		volumes = append(volumes, volume{name, "claim-" + name, ""})
	}
	for i, v := range volumes {
		group := gradingGroup // the one of users
		if v.Name == "hub" {
			group = gradingUser
		}
		volumes[i].Folder = h.at("homes", v.Name)
		if err := makeFolders(volumes[i].Folder); err != nil {
			return err
		}
		if err := os.Chown(volumes[i].Folder, gradingUser, group); err != nil {
			return fmt.Errorf("giving a home away: %w", err)
		}
	}
	if err := fill("homes.yaml", h.at("homes.yaml"), volumes); err != nil {
		return err
	}
	_, err := h.kubectl(ctx, admin, "apply", "-f", h.at("homes.yaml"))
	return err
}

// serveFolder serves files until this program ends.
func serveFolder(dir string) (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("serving %s: %w", dir, err)
	}
	go func() { _ = http.Serve(listener, http.FileServer(http.Dir(dir))) }() // helm reports an error if there is no answer
	return "http://" + listener.Addr().String(), nil
}

// warned matches the warnings of helm and the chart.
var warned = regexp.MustCompile(`(?i)warn|breaking|deprecat`)

// values renders the chart with helm. Our values must give no warning, and helm must refuse a
// misspelt one.
func (h *hub) values(ctx context.Context) (string, error) {
	render := strings.Replace(h.guide.begin, "upgrade --install", "template", 1)
	text, err := h.ask(ctx, render+" >rendered.yaml")
	if err != nil {
		return "", err
	}
	if text != "" {
		return "", fmt.Errorf("helm says of our values: %s", text)
	}
	if _, err := h.ask(ctx, "sed -i.bak s/defaultUrl:/defaultURL:/ docker/jupyterhub/values.yaml"); err != nil {
		return "", err
	}
	refused, err := h.ask(ctx, render)
	if err == nil || !strings.Contains(refused, "defaultURL") {
		return "", fmt.Errorf("helm accepts a misspelt value: %s", refused)
	}
	if _, err := h.ask(ctx, "mv docker/jupyterhub/values.yaml.bak docker/jupyterhub/values.yaml"); err != nil {
		return "", err
	}
	version, err := h.ask(ctx, "helm version --short")
	if err != nil {
		return "", err
	}
	count, err := h.ask(ctx, "grep -c '^kind: ' rendered.yaml")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("helm %s renders %s objects of the chart and says nothing; a misspelt value is refused by the chart's schema",
		strings.TrimSpace(version), strings.TrimSpace(count)), nil
}

// install follows the guide.
func (h *hub) install(ctx context.Context) (string, error) {
	said, err := h.ask(ctx, h.guide.begin+"\n"+h.guide.rest)
	if err != nil {
		return "", err
	}
	if found := warned.FindString(said); found != "" {
		return "", fmt.Errorf("helm has a warning, %q: %s", found, said)
	}
	address, err := h.kubectl(ctx, admin, "--namespace", hubNamespace, "get", "service", "proxy-public", "-o", "jsonpath={.spec.clusterIP}")
	if err != nil {
		return "", err
	}
	h.address = "http://" + address
	if err := h.until(ctx, time.Minute, "the hub answers through its proxy", func() error {
		said, err := h.command(ctx, "curl", "-sSf", "--max-time", "5", h.address+"/hub/api/")
		if err == nil && !strings.Contains(said, `"version"`) {
			err = errors.New(said)
		}
		return err
	}); err != nil {
		return "", err
	}
	return "no warning, and the hub answers through its proxy", nil
}

// browse runs one of the acceptance tests, which open the hub in Chromium.
func (h *hub) browse(ctx context.Context, test string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(h.parts, "acceptance.test"), "-test.v", "-test.timeout=10m", "-test.run=^"+test+"$")
	cmd.Dir, cmd.Env = "acceptance", append(os.Environ(), "WGSLAB_HUB="+h.address)
	cmd.WaitDelay = 10 * time.Second
	said, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(said, []byte("--- PASS: "+test)) {
		return "", fmt.Errorf("%s: %w: %s", test, errors.Join(err, errors.New("it did not pass")), said)
	}
	var seen []string
	for line := range strings.Lines(string(said)) {
		if _, words, ok := strings.Cut(line, "_test.go:"); ok {
			_, words, _ = strings.Cut(words, ": ")
			seen = append(seen, strings.TrimSpace(words))
		}
	}
	return strings.Join(seen, "\n  "), nil
}

func (h *hub) learners(ctx context.Context) (string, error) {
	return h.browse(ctx, "TestLearnersOnAHub")
}

func (h *hub) kept(ctx context.Context) (string, error) {
	return h.browse(ctx, "TestAHomeOutlastsItsServer")
}

// A learnerPod is the part of a learner's pod that the trials read.
type learnerPod struct {
	Spec struct {
		Containers []struct {
			Resources struct{ Limits map[string]string }
		}
	}
	Status struct {
		Phase             string
		ContainerStatuses []struct{ RestartCount int }
	}
}

func (h *hub) podOf(ctx context.Context, learner string) (p learnerPod, err error) {
	text, err := h.kubectl(ctx, admin, "--namespace", hubNamespace, "get", "pod", "jupyter-"+learner, "-o", "json")
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return p, fmt.Errorf("reading the pod of %s: %w", learner, err)
	}
	return p, nil
}

// in runs a command in a learner's pod.
func (h *hub) in(ctx context.Context, learner string, command ...string) (string, error) {
	return h.kubectl(ctx, admin, append([]string{"--namespace", hubNamespace, "exec", "jupyter-" + learner, "-c", "notebook", "--"}, command...)...)
}

// limits makes a program of one learner exceed its memory limit. The program must end, while her
// server and the other learner's continue.
func (h *hub) limits(ctx context.Context) (string, error) {
	rights, err := h.in(ctx, learners[0], "bash", "-c",
		`id -u; sed -nE 's/^(CapEff|NoNewPrivs):\t/\1 /p' /proc/self/status; test -e /var/run/secrets/kubernetes.io && echo token; true`)
	if err != nil {
		return "", err
	}
	if rights != "1000\nCapEff 0000000000000000\nNoNewPrivs 1\n" {
		return "", fmt.Errorf("a learner's pod has too many rights: %s", rights)
	}
	const glutton = `import sys; kept = [b"x" * (100 << 20) for _ in range(40)]; print("took", len(kept))`
	said, err := h.in(ctx, learners[0], "python3", "-c", glutton)
	if err == nil || strings.Contains(said, "took") {
		return "", fmt.Errorf("a learner took 4 GB: %s", said)
	}
	if !strings.Contains(err.Error(), "exit code 137") {
		return "", fmt.Errorf("a program that took 4 GB did not run out of memory: %w", err)
	}
	var limits map[string]string
	for _, name := range learners {
		p, err := h.podOf(ctx, name)
		if err != nil {
			return "", err
		}
		if p.Status.Phase != "Running" || p.Status.ContainerStatuses[0].RestartCount != 0 {
			return "", fmt.Errorf("the server of %s is not what it was: %+v", name, p.Status)
		}
		limits = p.Spec.Containers[0].Resources.Limits
	}
	return fmt.Sprintf("limits %v; user 1000, no capability, no token; a program that took 4 GB was killed, and both servers continued", limits), nil
}

// culled makes the hub end servers that were idle for a minute, instead of the hour in the values.
// It changes that with a second helm upgrade, which the learners' servers survive.
func (h *hub) culled(ctx context.Context) (string, error) {
	if err := os.WriteFile(filepath.Join(h.folder, "sooner.yaml"), []byte("cull: {timeout: 60, every: 10}\n"), 0o644); err != nil {
		return "", fmt.Errorf("writing values: %w", err)
	}
	if _, err := h.ask(ctx, h.guide.begin+" --values sooner.yaml\n"+h.guide.rest); err != nil {
		return "", err
	}
	for _, name := range learners {
		if p, err := h.podOf(ctx, name); err != nil || p.Status.Phase != "Running" {
			return "", fmt.Errorf("the server of %s did not outlast the hub's upgrade: %w: %+v", name, err, p.Status)
		}
	}
	began := time.Now()
	if err := h.until(ctx, 5*time.Minute, "the idle servers are culled", func() error {
		left, err := h.kubectl(ctx, admin, "--namespace", hubNamespace, "get", "pods", "--selector=component=singleuser-server", "-o", "name")
		if err == nil && left != "" {
			err = errors.New(left)
		}
		return err
	}); err != nil {
		return "", err
	}
	return fmt.Sprintf("the hub was upgraded while both servers ran on; %.0f s later they were culled", time.Since(began).Seconds()), nil
}
