//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A classroom is a namespace with the two claims, a copy of docker/grading with a teacher's edits,
// and a login for that namespace.
type classroom struct {
	*cluster
	name   string
	grades string // the folder of the claim's volume
}

// The user and group of the pods, as in job.yaml.
const gradingUser, gradingGroup = 1000, 100

// newClassroom makes a classroom for a class's folder. The edits apply to job.yaml.
func (c *cluster) newClassroom(ctx context.Context, name, submissions string, edits map[string]string) (*classroom, error) {
	r := &classroom{c, name, c.at("rooms", name, "grades")}
	if err := os.MkdirAll(r.grades, 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for grades: %w", err)
	}
	if err := os.Chown(r.grades, gradingUser, gradingGroup); err != nil {
		return nil, fmt.Errorf("giving the folder for grades away: %w", err)
	}
	if err := r.copyManifests(edits); err != nil {
		return nil, err
	}
	type claim struct{ Claim, Folder string }
	open := map[string]any{"Name": name, "Claims": []claim{{"submissions", submissions}, {"grades", r.grades}}}
	if err := fill("claims.yaml", r.in("claims.yaml"), open); err != nil {
		return nil, err
	}
	if _, err := c.kubectl(ctx, "admin", "apply", "-f", r.in("claims.yaml")); err != nil {
		return nil, err
	}
	login, err := os.ReadFile(c.at("logins", "admin.conf"))
	if err != nil {
		return nil, fmt.Errorf("reading a login: %w", err)
	}
	if err := os.WriteFile(c.at("logins", name+".conf"), login, 0o600); err != nil {
		return nil, fmt.Errorf("writing a login: %w", err)
	}
	_, err = r.ask(ctx, "config", "set-context", "--current", "--namespace="+name)
	return r, err
}

// in returns a path in the classroom's folder.
func (r *classroom) in(names ...string) string {
	return r.at(append([]string{"rooms", r.name}, names...)...)
}

// copyManifests copies docker/grading. It returns an error if an edit finds nothing to replace.
func (r *classroom) copyManifests(edits map[string]string) error {
	to := r.in("docker", "grading")
	if err := os.CopyFS(to, os.DirFS(filepath.Join("docker", "grading"))); err != nil {
		return fmt.Errorf("copying docker/grading: %w", err)
	}
	path := filepath.Join(to, "job.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading job.yaml: %w", err)
	}
	for before, after := range edits {
		if strings.Count(string(text), before) != 1 {
			return fmt.Errorf("job.yaml does not have %q once", before)
		}
		text = bytes.Replace(text, []byte(before), []byte(after), 1)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("writing job.yaml: %w", err)
	}
	return nil
}

// ask runs kubectl in the classroom.
func (r *classroom) ask(ctx context.Context, arguments ...string) (string, error) {
	return r.kubectl(ctx, r.name, arguments...)
}

// shell runs commands in the classroom's folder, like a teacher.
func (r *classroom) shell(ctx context.Context, commands string) (string, error) {
	return r.cluster.shell(ctx, r.in(), r.name, commands)
}

// A jobStatus is the part of a Job's status that the trials read.
type jobStatus struct {
	Succeeded, Failed               int
	CompletedIndexes, FailedIndexes string
	Conditions                      []struct{ Type, Reason string }
}

func (s jobStatus) has(condition, reason string) bool {
	for _, c := range s.Conditions {
		if c.Type == condition && (reason == "" || c.Reason == reason) {
			return true
		}
	}
	return false
}

func (r *classroom) status(ctx context.Context, job string) (jobStatus, error) {
	var of struct{ Status jobStatus }
	text, err := r.ask(ctx, "get", "job", job, "-o", "json")
	if err != nil {
		return of.Status, err
	}
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		return of.Status, fmt.Errorf("reading the status of %s: %w", job, err)
	}
	return of.Status, nil
}

// A pod is a pod that grades.
type pod struct {
	Metadata struct {
		Name, UID string
		Labels    map[string]string
	}
	Status struct {
		Phase             string
		ContainerStatuses []struct {
			State struct{ Terminated struct{ Reason string } }
		}
	}
}

// ended returns why the pod's container ended, or "" if it still runs.
func (p pod) ended() string {
	for _, c := range p.Status.ContainerStatuses {
		return c.State.Terminated.Reason
	}
	return ""
}

// part returns the part of the class that the pod grades.
func (p pod) part() string { return p.Metadata.Labels["batch.kubernetes.io/job-completion-index"] }

func (r *classroom) pods(ctx context.Context) ([]pod, error) {
	var list struct{ Items []pod }
	text, err := r.ask(ctx, "get", "pods", "-o", "json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("reading the list of pods: %w", err)
	}
	return list.Items, nil
}

// amidst waits for running pods that have graded something and are not the known one. It returns
// the one with the most work left, because others may finish before the trial can act on them.
func (r *classroom) amidst(ctx context.Context, known string) (p pod, err error) {
	err = r.until(ctx, 5*time.Minute, "a pod has graded a part of its students", func() error {
		pods, err := r.pods(ctx)
		if err != nil {
			return err
		}
		least := int64(math.MaxInt64)
		for _, candidate := range pods {
			graded := r.graded(candidate.part())
			if candidate.Status.Phase == "Running" && candidate.Metadata.Name != known && graded > 0 && graded < least {
				p, least = candidate, graded
			}
		}
		if p.Metadata.Name == "" {
			return fmt.Errorf("%d pods, but none is partly done", len(pods))
		}
		return nil
	})
	return p, err
}

// graded returns how many bytes of verdicts a part's journal holds, without its first line.
func (r *classroom) graded(part string) int64 {
	const firstLine = 1 << 10 // more than the actual length
	info, err := os.Stat(filepath.Join(r.grades, "part-"+part+".json.journal"))
	if err != nil {
		return 0
	}
	return max(0, info.Size()-firstLine)
}
